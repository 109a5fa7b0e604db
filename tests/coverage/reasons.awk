# Compares the branches of src/memobj, src/sched and src/worksteal that were not run with the reasons that docs/coverage.md
# gives, each a line there: "- `file`, `function`: `text`". Fails when one is without the other. Below a heading that
# ends with "(by chance)" a branch may also have been run.
#
#     awk -f reasons.awk -v sources=src docs/coverage.md all.info
FNR == NR {
    if (/^## /) chance = / \(by chance\)$/
    if (/^- `/) {
        split($0, part, "`")
        given = part[2] "`" part[4] "`" part[6]
        if (!(given in reason)) order[++count] = given
        reason[given] = chance ? "chance" : "always"
    }
    next
}
/^SF:/ {
    file = substr($0, 4)
    sub(/^.*\/src\//, "", file)
    asked = file ~ /^(memobj|sched|worksteal)\//
    delete begins
    if (!asked) next
    for (line = 1; (getline text[line] < (sources "/" file)) > 0; line++) ;
    close(sources "/" file)
}
/^FN:/ && asked {
    split(substr($0, 4), field, ",")
    begins[field[1] + 0] = field[2]
}
/^BRDA:/ && asked {
    split(substr($0, 6), field, ",")
    branch = file "`" function_at(field[1] + 0) "`" shown(text[field[1]])
    known[branch] = 1
    if (field[4] + 0 == 0 && !(branch in missed)) {
        missed[branch] = 1
        if (!(branch in reason)) complain("not run, without a reason", branch)
    }
}
END {
    for (i = 1; i <= count; i++) {
        if (!(order[i] in known)) complain("a reason for what is not there", order[i])
        else if (reason[order[i]] == "always" && !(order[i] in missed)) complain("run, with a reason why not", order[i])
    }
    exit failed
}
function function_at(line,   first, last) {
    for (first in begins)
        if (first + 0 <= line && first + 0 > last + 0) last = first
    return begins[last]
}
function shown(line) {
    sub(/^ +/, "", line)
    return length(line) > 70 ? substr(line, 1, 67) "..." : line
}
function complain(what, branch,   part) {
    split(branch, part, "`")
    printf "%s:\n- `%s`, `%s`: `%s`\n", what, part[1], part[2], part[3]
    failed = 1
}
