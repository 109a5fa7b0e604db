/* A graph as DOT: tasks, declared, implicit and refined dependencies. */
#include "unit/face/support.h"

#include <unistd.h>

static svs_space *places;

typedef struct step {
    uint64_t place;
} step;
static void step_touch(svs_footprint *f, const step *s) { svs_writes_at(f, places, s->place); }
static svs_status step_run(svs_context *context, step *s) {
    (void)context, (void)s;
    return SVS_OK;
}
SVS_TASK(step, step_run, step_touch)

typedef struct scene {
    support s;
    svs_graph *graph;
    svs_task *a, *b, *c, *sink;
} scene;

/* a before b; a sends to sink; c writes the place of b, and not that of a. */
static void make(scene *s) {
    static const step items[] = {{1}, {2}, {2}};
    support_open(&s->s, 2);
    support_ok(svs_space_new(s->s.world, "places", 4, &places));
    s->graph = support_graph(&s->s);
    support_ok(svs_graph_add_transform(s->graph, &step_task, &items[0], NULL, &s->a));
    support_ok(svs_graph_add_transform(s->graph, &step_task, &items[1], NULL, &s->b));
    support_ok(svs_graph_add_transform(s->graph, &step_task, &items[2], NULL, &s->c));
    support_ok(svs_graph_add_itemizer(s->graph, &step_task, NULL, &s->sink));
    support_ok(svs_graph_add_order(s->graph, s->a, s->b));
    support_ok(svs_graph_add_flow(s->graph, s->a, s->sink));
}

static void end(scene *s) {
    s->s.log_seen = s->s.log.count;
    support_ok(svs_graph_free(s->graph));
    support_ok(svs_space_free(places));
    support_close(&s->s);
}

static char text[8192];

static void draw(const scene *s) {
    char path[64];
    FILE *file;
    snprintf(path, sizeof path, "/tmp/svs-dot-%d", (int)getpid());
    support_ok(svs_graph_dot(s->graph, path));
    file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    (void)fclose(file);
    assert_int_equal(unlink(path), 0);
}

static bool has(const char *part) { return strstr(text, part) != NULL; }

TEST_CASE(tasks_and_dependencies_are_drawn) {
    scene s;
    make(&s);
    draw(&s);
    assert_true(has("t0 [shape=box label=\"step\"]") && has("t3 [shape=ellipse label=\"step\"]"));
    assert_true(has("t0 -> t1 [penwidth=2.2]"));
    assert_true(has("t0 -> t3 [color=\"#2f6fbd\"]"));
    assert_true(has("t0 -> t2 [style=dashed") && has("t1 -> t2 [style=dashed"));
    assert_false(has("dotted color") || has("t0 -> t1 [style"));
    end(&s);
}

TEST_CASE(what_refinement_has_removed_is_dotted) {
    scene s;
    make(&s);
    support_run(s.graph, 1);
    draw(&s);
    assert_true(has("t0 -> t2 [style=dotted"));
    assert_true(has("t1 -> t2 [style=dashed"));
    end(&s);
}

TEST_CASE(a_file_that_cannot_be_written_is_an_error) {
    scene s;
    make(&s);
    assert_int_equal(svs_graph_dot(s.graph, "/no/such/folder/graph.dot"), SVS_E_FILE);
    assert_int_equal(svs_graph_dot(s.graph, NULL), SVS_E_NULL);
    assert_int_equal(svs_graph_dot(NULL, "graph.dot"), SVS_E_NULL);
    end(&s);
}

int main(void) { return run_cases(NULL, NULL); }
