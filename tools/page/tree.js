/* The steal tree as an icicle: a bar's width is its subtree's share, what was stolen from it hangs
 * below, and what it kept for itself is the part without a bar below. Twenty levels at once; a bar
 * can be made the top. */
const icicle = {row: 21, levels: 20, focus: NONE, byTime: true, bars: []};

const roots = [];
const subtree = {time: new Float64Array(phaseCount), phases: new Float64Array(phaseCount),
  levels: new Int32Array(phaseCount)};

/* Sums from the leaves up; `order` has parents in front of children. */
(function gather() {
  for (let i = 0; i < phaseCount; i++) if (phases.parent[i] === NONE) roots.push(i);
  roots.sort((a, b) => phases.begin[a] - phases.begin[b]);
  const order = roots.slice();
  for (let at = 0; at < order.length; at++)
    for (const child of childrenOf[order[at]]) order.push(child);
  for (let at = order.length - 1; at >= 0; at--) {
    const i = order[at];
    subtree.time[i] += Math.max(phases.own[i], 1);
    subtree.phases[i] += 1;
    subtree.levels[i] += 1;
    const parent = phases.parent[i];
    if (parent === NONE) continue;
    subtree.time[parent] += subtree.time[i];
    subtree.phases[parent] += subtree.phases[i];
    subtree.levels[parent] = Math.max(subtree.levels[parent], subtree.levels[i]);
  }
})();

const weight = (phase) => (icicle.byTime ? subtree.time : subtree.phases)[phase];
const tops = () => (icicle.focus === NONE ? roots : [icicle.focus]);

/* The bars of a level, and those below them. Bars of less than half a pixel are not drawn one by
 * one: one grey bar stands for those that are neighbours. */
function layOutLevel(items, level) {
  const next = [];
  for (const {phase, x0, x1} of items) {
    let x = x0, thin = x0;
    const flush = (to) => {
      if (to - thin >= 0.3) icicle.bars.push({phase: NONE, x0: thin, x1: to, level: level + 1});
    };
    icicle.bars.push({phase, x0, x1, level});
    if (level + 1 === icicle.levels) continue;
    for (const child of childrenOf[phase]) {
      const width = (x1 - x0) * weight(child) / weight(phase);
      if (width >= 0.5) {
        flush(x);
        next.push({phase: child, x0: x, x1: x + width});
        thin = x + width;
      }
      x += width;
    }
    flush(x);
  }
  return next;
}

function layOutTree(width) {
  const total = tops().reduce((sum, i) => sum + weight(i), 0) || 1;
  let x = 0, items = [];
  icicle.bars = [];
  for (const top of tops()) {
    const share = width * weight(top) / total;
    if (share >= 0.5) items.push({phase: top, x0: x, x1: x + share});
    x += share;
  }
  for (let level = 0; level < icicle.levels && items.length; level++)
    items = layOutLevel(items, level);
}

function drawBar(context, {phase, x0, x1, level}) {
  const y = level * icicle.row, width = x1 - x0;
  context.fillStyle = phase === NONE ? theme("--line") : workerColour(phases.worker[phase]);
  context.fillRect(x0, y, phase === NONE ? width : Math.max(width - 0.8, 0.8), icicle.row - 2);
  if (phase === NONE) return;
  if (phase === chosen.phase || phase === chosen.hover) {
    context.strokeStyle = theme(phase === chosen.phase ? "--mark" : "--ink");
    context.lineWidth = 2;
    context.strokeRect(x0 + 1, y + 1, Math.max(width - 2.8, 1), icicle.row - 4);
  }
  if (width >= 34) nameBar(context, phase, x0, width, level);
}

/* Whatever fits; at the last level, with how many phases hang below. */
function nameBar(context, phase, x0, width, level) {
  const worker = phases.worker[phase], number = phases.number[phase];
  const below = subtree.phases[phase] - 1;
  const hidden = level + 1 === icicle.levels && below > 0 ? ` \u25be ${count(below)}` : "";
  const texts = [`worker ${worker}, phase ${number}${hidden}`, `${worker}:${number}${hidden}`];
  const text = texts.find((t) => context.measureText(t).width < width - 10);
  if (!text) return;
  context.fillStyle = "#fff";
  context.textAlign = "left";
  context.fillText(text, x0 + 6, level * icicle.row + icicle.row / 2 - 0.5);
}

function drawTree() {
  const canvas = element("tree");
  layOutTree(Math.max(canvas.clientWidth, 200));
  const levels = icicle.bars.reduce((most, bar) => Math.max(most, bar.level + 1), 1);
  const {context} = prepare(canvas, levels * icicle.row);
  for (const bar of icicle.bars) drawBar(context, bar);
  document.documentElement.dataset.tree = icicle.bars.length;
}

function barAt(x, y) {
  const level = Math.floor(y / icicle.row);
  const bar = icicle.bars.find((b) =>
    b.level === level && x >= b.x0 && x < Math.max(b.x1, b.x0 + 1));
  return bar ? bar.phase : NONE;
}

function focusOn(phase) {
  icicle.focus = phase;
  showPath();
  redraw();
}

/* The way from the top of the tree to what is shown; of a long one, its ends. */
function showPath() {
  const path = [];
  for (let at = icicle.focus; at !== NONE; at = phases.parent[at]) path.unshift(at);
  const steps = path.length > 7 ? [...path.slice(0, 2), null, ...path.slice(-4)] : path;
  const nav = element("path");
  nav.replaceChildren();
  nav.hidden = path.length === 0;
  for (const step of [NONE, ...steps]) {
    const part = document.createElement(step === null ? "span" : "button");
    part.textContent = step === null ? " \u2026 " : step === NONE ? "all"
      : `${phases.worker[step]}:${phases.number[step]}`;
    if (step !== null) part.addEventListener("click", () => focusOn(step));
    nav.append(part, step === steps[steps.length - 1] ? "" : " \u203a ");
  }
}

function weigh(byTime) {
  icicle.byTime = byTime;
  element("weigh-time").setAttribute("aria-pressed", String(byTime));
  element("weigh-phases").setAttribute("aria-pressed", String(!byTime));
  redraw();
}

function treeEvents(canvas) {
  canvas.addEventListener("pointermove", (event) => {
    chosen.hover = barAt(event.offsetX, event.offsetY);
    showTip(event, chosen.hover === NONE ? "" : describe(chosen.hover) + "\nits subtree: " +
      `${count(subtree.phases[chosen.hover])} phases, ${time(subtree.time[chosen.hover])}`);
    redraw();
  });
  canvas.addEventListener("pointerleave", (event) => {
    chosen.hover = NONE;
    showTip(event, "");
    redraw();
  });
  canvas.addEventListener("click", (event) => {
    if (event.detail !== 1) return;
    choose(barAt(event.offsetX, event.offsetY));
    if (chosen.phase !== NONE) reveal(chosen.phase);
  });
  canvas.addEventListener("dblclick", (event) => {
    const phase = barAt(event.offsetX, event.offsetY);
    if (phase !== NONE) focusOn(phase === icicle.focus ? phases.parent[phase] : phase);
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && chosen.phase !== NONE) focusOn(chosen.phase);
    else if (event.key === "Backspace" && icicle.focus !== NONE)
      focusOn(phases.parent[icicle.focus]);
    else return;
    event.preventDefault();
  });
  element("weigh-time").addEventListener("click", () => weigh(true));
  element("weigh-phases").addEventListener("click", () => weigh(false));
}
