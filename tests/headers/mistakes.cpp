// A correct program with types in namespaces, and one mistake for each name that may be defined.
#include <svs/svs.hpp>

namespace game {
struct node {
    int health;
    node *next;
    svs_object svs;
};
SVS_TYPE(node, svs, next)

struct visit { // SVS_TASK beside SVS_TYPE in one namespace
    node *at;
};
static void visit_touch(svs_footprint *f, const visit *v) { svs_writes(f, &v->at->svs); }
static svs_status visit_run(svs_context *, visit *v) { return svs_link(v->at, next, v->at); }
SVS_TASK(visit, visit_run, visit_touch)

struct wall {
    svs_object svs;
    wall *next;
};
struct hit {
    wall *at;
#ifdef VECTOR_IN_ITEM
    std::vector<int> by;
#endif
};
} // namespace game

#ifdef QUALIFIED_TYPE
SVS_TYPE(game::wall, svs, next)
#else
typedef game::wall wall;
SVS_TYPE(wall, svs, next)
#endif

static void again_touch(svs_footprint *f, const game::visit *v) { game::visit_touch(f, v); }
#ifdef QUALIFIED_TASK
SVS_TASK(game::visit, game::visit_run, again_touch)
#else
SVS_TASK(again, game::visit, game::visit_run, again_touch)
#endif

static void hit_touch(svs_footprint *f, const game::hit &h) { svs_writes(f, &h.at->svs); }

int main() {
    svs::world world(1);
    game::node *node;
    game::wall *brick;
    svs::must(SVS_NEW(world, game::node, &node));
    svs::must(SVS_NEW(world, wall, &brick));
    game::visit visit{node};
    svs::must(svs_for_each(world, &game::visit_task, &visit, 1));
    svs::graph graph(world);
#ifdef OBJECT_AS_GRAPH_ITEM
    auto touch = [](svs_footprint *, const game::node &) {};
    graph.add_itemizer<game::node>("node", touch, [](game::node &) {});
#endif
    int hits = 0;
#if defined(BODY_OF_ANOTHER_ITEM)
    auto task = graph.add_itemizer<game::hit>("hit", hit_touch, [&hits](game::visit &) { hits++; });
#elif defined(CHANGING_BODY)
    auto task =
        graph.add_itemizer<game::hit>("hit", hit_touch, [hits](game::hit &) mutable { hits++; });
#else
    auto task = graph.add_itemizer<game::hit>("hit", hit_touch, [&hits](game::hit &) { hits++; });
#endif
    graph.send(task, game::hit{brick});
    graph.run();
    return hits == 1 ? 0 : 1;
}
