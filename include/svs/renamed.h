/* The names before version 1.0, for programs that use them: include this header, or compile with
 * `-include svs/renamed.h`, until the program has the new names. Version 1.0 comes without it. */
#ifndef SVS_RENAMED_H
#define SVS_RENAMED_H

#include <svs/check.h>
#include <svs/svs.h>

#define svs_strand svs_async_context
#define svs_strand_worker svs_async_worker
#define svs_context_strand svs_context_async
#define SVS_STRAND SVS_ASYNC_CONTEXT
#define svs_context_order svs_instance_id
#define svs_graph_sends svs_graph_add_flow
#define svs_graph_order svs_graph_add_order
#define svs_graph_independent svs_graph_set_independent
#define svs_hand_off svs_publish
#define svs_finish_later svs_complete_later
#define svs_finished svs_completed
#define svs_set svs_link
#define svs_set_in svs_link_in
#define svs_runtime_statistics svs_runtime_statistics_get
#define svs_check_summarize svs_check_summary_get

#define SVS_STAGED SVS_ALGORITHM_STAGED
#define SVS_PROGRESSIVE SVS_ALGORITHM_PROGRESSIVE
#define SVS_HELP_FIRST SVS_POLICY_HELP_FIRST
#define SVS_WORK_FIRST SVS_POLICY_WORK_FIRST
#define SVS_READ SVS_MODE_READ
#define SVS_WRITE SVS_MODE_WRITE
#define SVS_OBJECT SVS_KIND_OBJECT
#define SVS_ADDRESS SVS_KIND_ADDRESS
#define SVS_INDEX SVS_KIND_INDEX
#define SVS_EVERYTHING SVS_KIND_EVERYTHING
#define SVS_OWN SVS_EXTENT_OWN
#define SVS_PATH SVS_EXTENT_PATH
#define SVS_HOPS SVS_EXTENT_HOPS
#define SVS_ALONG SVS_EXTENT_ALONG
#define SVS_REACH SVS_EXTENT_REACH
#define SVS_CHECK_LABELS SVS_CHECK_LCA_LABELS
#define SVS_CHECK_STEAL_TREE SVS_CHECK_LCA_STEAL_TREE
#define SVS_CHECK_WALK SVS_CHECK_LCA_WALK
#define SVS_CHECK_RACE SVS_CHECK_VERDICT_RACE
#define SVS_CHECK_UNDECLARED SVS_CHECK_VERDICT_UNDECLARED
#define SVS_CHECK_ORDER SVS_CHECK_VERDICT_ORDER

#endif
