#!/usr/bin/env bash
# ranks.sh openmpi|mpich N PROGRAM ARGUMENTS...: runs a program on N ranks of one machine, with the flags that the MPI
# needs there; openmpi-tcp and mpich-tcp: over TCP in place of shared memory. Each rank runs under a wrapper that names it when a signal kills it.
set -euo pipefail

if [[ ${1:-} == --rank ]]; then
    shift
    status=0
    "$@" || status=$?
    if ((status > 128)); then
        rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-?}}
        echo "svs: error: rank $rank was killed by signal $((status - 128)): all ranks end" >&2
    fi
    exit "$status"
fi

mpi=${1%-tcp} count=$2
if [[ $1 == *-tcp ]]; then
    export OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1 UCX_TLS=tcp,self
fi
shift 2
export SVS_TRANSPORT=mpi SVS_RANKS=$count
flags=()
case $mpi in
    openmpi)
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
        flags=(--bind-to none --oversubscribe)
        ;;
    mpich) ;;
    *)
        echo "ranks.sh: unknown MPI $mpi: choose openmpi or mpich" >&2
        exit 2
        ;;
esac
exec "mpirun.$mpi" "${flags[@]}" -n "$count" bash "${BASH_SOURCE[0]}" --rank "$@"
