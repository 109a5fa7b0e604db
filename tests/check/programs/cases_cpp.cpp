#include "cases.h"
#include <memory>
#include <string>
#include <vector>

namespace {

/* A value that has to be read. */
void keep(long value) {
    volatile long kept = value;
    (void)kept;
}

/* ---- no race: new and delete ---- */

struct node {
    long value;
    std::unique_ptr<node> next;
};
void make_list(svs_strand *, void *) {
    std::unique_ptr<node> first;
    for (int i = 0; i < 100; i++) first.reset(new node{i, std::move(first)});
    for (const node *n = first.get(); n != nullptr; n = n->next.get()) keep(n->value);
}
void lists(svs_strand *s, void *a) {
    for (int i = 0; i < 8; i++) spawn_two(s, make_list, make_list, a);
}

/* ---- no race: the library's own classes ---- */

void make_texts(svs_strand *, void *) {
    std::vector<std::string> texts;
    for (int i = 0; i < 50; i++)
        texts.push_back(std::string("a text that is too long to be kept inside ") +
                        std::to_string(i));
    keep(static_cast<long>(texts.back().size()));
}
void texts(svs_strand *s, void *a) {
    for (int i = 0; i < 4; i++) spawn_two(s, make_texts, make_texts, a);
}

/* ---- no race: virtual functions of an object that is only read ---- */

struct shape {
    virtual ~shape() = default;
    virtual long area() const = 0;
};
struct square : shape {
    explicit square(long s) : side(s) {}
    long area() const override { return side * side; }
    long side;
};
void call_virtual(svs_strand *, void *a) { keep(static_cast<const shape *>(a)->area()); }
void shapes(svs_strand *s, void *) {
    static square fixed(5);
    spawn_two(s, call_virtual, call_virtual, &fixed);
}

/* ---- a block from new, written by two ---- */

void write_node(svs_strand *, void *a) { static_cast<node *>(a)->value = 1; /* [new_block.a] */ }
void write_node_too(svs_strand *, void *a) {
    static_cast<node *>(a)->value = 2; /* [new_block.b] */
}
void new_block(svs_strand *s, void *) {
    node *shared = new node{0, nullptr}; /* [new_block.allocated] */
    spawn_two(s, write_node, write_node_too, shared);
}

/* ---- a virtual call, as another constructs an object in the same place ---- */

struct line : shape {
    long area() const override { return 0; }
};
void call_shape(svs_strand *, void *a) {
    keep(static_cast<const shape *>(a)->area()); /* [virtual_call.a] */
}
void make_line(svs_strand *, void *a) { new (a) line; /* [virtual_call.b] */ }
void virtual_call(svs_strand *s, void *) {
    static square fixed(5);
    spawn_two(s, call_shape, make_line, &fixed);
}

const check_case cases[] = {
    {"lists", lists},
    {"texts", texts},
    {"shapes", shapes},
    {"new_block", new_block},
    {"virtual_call", virtual_call},
};

} // namespace

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
