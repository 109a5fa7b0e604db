#include "cases.h"
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <svs/svs.hpp>
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
void make_list(svs_async_context *, void *) {
    std::unique_ptr<node> first;
    for (int i = 0; i < 100; i++) first.reset(new node{i, std::move(first)});
    for (const node *n = first.get(); n != nullptr; n = n->next.get()) keep(n->value);
}
void lists(svs_async_context *s, void *a) {
    for (int i = 0; i < 8; i++) spawn_two(s, make_list, make_list, a);
}

/* ---- no race: the library's own classes ---- */

void make_texts(svs_async_context *, void *) {
    std::vector<std::string> texts;
    for (int i = 0; i < 50; i++)
        texts.push_back(std::string("a text that is too long to be kept inside ") +
                        std::to_string(i));
    keep(static_cast<long>(texts.back().size()));
}
void texts(svs_async_context *s, void *a) {
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
void call_virtual(svs_async_context *, void *a) { keep(static_cast<const shape *>(a)->area()); }
void shapes(svs_async_context *s, void *) {
    static square fixed(5);
    spawn_two(s, call_virtual, call_virtual, &fixed);
}

/* ---- a block from new, written by two ---- */

void write_node(svs_async_context *, void *a) {
    static_cast<node *>(a)->value = 1; /* [new_block.a] */
}
void write_node_too(svs_async_context *, void *a) {
    static_cast<node *>(a)->value = 2; /* [new_block.b] */
}
void new_block(svs_async_context *s, void *) {
    node *shared = new node{0, nullptr}; /* [new_block.allocated] */
    spawn_two(s, write_node, write_node_too, shared);
}

/* ---- a block from malloc(), after a new that has thrown ---- */

void write_number(svs_async_context *, void *a) {
    *static_cast<long *>(a) = 1; /* [thrown_new.a] */
}
void write_number_too(svs_async_context *, void *a) {
    *static_cast<long *>(a) = 2; /* [thrown_new.b] */
}
void thrown_new(svs_async_context *s, void *) {
    volatile std::size_t too_many = PTRDIFF_MAX;
    void *shared;
    try {
        ::operator delete(::operator new(too_many));
    } catch (const std::bad_alloc &) {
        keep(0);
    }
    shared = std::malloc(sizeof(long)); /* [thrown_new.allocated] */
    spawn_two(s, write_number, write_number_too, shared);
}

/* ---- a virtual call, as another constructs an object in the same place ---- */

struct line : shape {
    long area() const override { return 0; }
};
void call_shape(svs_async_context *, void *a) {
    keep(static_cast<const shape *>(a)->area()); /* [virtual_call.a] */
}
void make_line(svs_async_context *, void *a) { new (a) line; /* [virtual_call.b] */ }
void virtual_call(svs_async_context *s, void *) {
    static square fixed(5);
    spawn_two(s, call_shape, make_line, &fixed);
}

/* ---- no race: what is made once is before all that is behind its guard ---- */

const std::vector<int> &table() {
    static const std::vector<int> made{1, 2, 3};
    return made;
}
std::once_flag flag;
int called;
void need_made(svs_async_context *, void *) {
    keep(table()[1]);
    std::call_once(flag, [] { called = 1; });
    keep(called);
}
void made_once(svs_async_context *s, void *a) {
    for (int i = 0; i < 4; i++) spawn_two(s, need_made, need_made, a);
}

/* ---- and what is behind it is looked at, also when initialisers have thrown ---- */

bool had_thrown;
int throw_once() {
    if (had_thrown) return 1;
    had_thrown = true;
    throw std::runtime_error("no");
}
int count;
void try_twice(svs_async_context *, void *) {
    static std::once_flag never;
    for (int i = 0; i < 2; i++) {
        try {
            static int made = throw_once();
            keep(made);
            std::call_once(never, [] { throw std::runtime_error("never"); });
        } catch (const std::runtime_error &) {}
    }
    count++; /* [behind_once.a] */
}
void behind_once(svs_async_context *s, void *a) { spawn_two(s, try_twice, try_twice, a); }

/* ---- no race: references are counted by atomics, also where there is one worker ---- */

std::shared_ptr<long> shared;
void copy_shared(svs_async_context *, void *) {
    std::shared_ptr<long> copy = shared;
    keep(*copy);
}
void shared_counts(svs_async_context *s, void *a) {
    if (!shared) shared = std::make_shared<long>(5);
    for (int i = 0; i < 4; i++) spawn_two(s, copy_shared, copy_shared, a);
}

/* ---- a read in a function of the library's header: the report names its caller ---- */

struct adder {
    long by;
    void operator()() const { keep(by); }
};
adder given{1};
void give(svs_async_context *s, void *) {
    static svs::failure kept;
    svs::finish(svs::async_context(s, &kept), [](svs::async_context x) {
        svs::async(x, given); /* [copied_in_header.a] */
    });
}
void change_given(svs_async_context *, void *) { given.by = 2; /* [copied_in_header.b] */ }
void copied_in_header(svs_async_context *s, void *a) { spawn_two(s, give, change_given, a); }

const check_case cases[] = {
    {"copied_in_header", copied_in_header},
    {"made_once", made_once},
    {"behind_once", behind_once},
    {"shared_counts", shared_counts},
    {"lists", lists},
    {"texts", texts},
    {"shapes", shapes},
    {"new_block", new_block},
    {"thrown_new", thrown_new},
    {"virtual_call", virtual_call},
};

} // namespace

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
