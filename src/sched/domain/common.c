#include "sched/domain/common.h"

svs__block *svs__common_take(svs__common *common, svs__block **list) {
    svs__block *block;
    svs__lock_acquire(&common->lock);
    block = *list;
    if (block) *list = block->next;
    svs__lock_release(&common->lock);
    return block;
}

void svs__common_give(svs__common *common, svs__block **list, svs__block *block) {
    svs__lock_acquire(&common->lock);
    block->next = *list;
    *list = block;
    svs__lock_release(&common->lock);
}
