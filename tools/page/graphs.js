"use strict";
/* Instances of graphs: bars in the rows of their workers, a table of the tasks, and why instances
 * did not run together. Each list of `instances` has one entry an instance. */
const graphs = trace.graphs || {count: 0, tasks: [], conflicts: [], conflictCount: 0,
  instances: {worker: [], task: [], begin: [], end: [], run: [], iteration: [], shared: [], id: []}};
const instances = graphs.instances;
const instanceCount = instances.worker.length;
chosen.instance = chosen.hoverInstance = NONE;

const instanceFirst = new Int32Array(trace.workers + 1);
for (let i = 0; i < instanceCount; i++) instanceFirst[instances.worker[i] + 1]++;
for (let w = 0; w < trace.workers; w++) instanceFirst[w + 1] += instanceFirst[w];

/* Numbers repeat from run to run: of several, the one that begins next. */
const instancesOfId = new Map();
for (let i = 0; i < instanceCount; i++) {
  const list = instancesOfId.get(instances.id[i]);
  if (list) list.push(i); else instancesOfId.set(instances.id[i], [i]);
}
const conflictsOfId = new Map();
for (const conflict of graphs.conflicts)
  for (const id of new Set([conflict.id, conflict.other])) {
    if (!id) continue;
    const list = conflictsOfId.get(id);
    if (list) list.push(conflict); else conflictsOfId.set(id, [conflict]);
  }

/* Hues as far from each other as can be, and not those of the workers. */
function taskColour(task) {
  const hue = ((30 + 137.508 * task) % 360).toFixed(1);
  return `oklch(${theme("--light")} calc(${theme("--tint")} * 1.15) ${hue})`;
}

const taskName = (task) => graphs.tasks[task].name;
const instanceName = (i) => `${taskName(instances.task[i])} ${instances.id[i]}`;
const instanceTime = (i) => instances.end[i] - instances.begin[i];

function describeInstance(i) {
  const task = graphs.tasks[instances.task[i]];
  const share = instances.shared[i] ? " (its share of a group)" : "";
  const met = (conflictsOfId.get(instances.id[i]) || []).length;
  return `${instanceName(i)}\ngraph ${task.graph}, run ${instances.run[i]}, ` +
    `iteration ${instances.iteration[i]}\n` +
    `${time(instanceTime(i))} from ${time(instances.begin[i])}${share}` +
    (met ? `\n${count(met)} conflict${met === 1 ? "" : "s"} found` : "");
}

function chooseInstance(i) {
  chosen.instance = chosen.instance === i ? NONE : i;
  chosen.phase = NONE;
  showPhase();
  redraw();
}

/* The instances of a worker, below its phases. @return the number of bars. */
function drawInstances(context, worker, top, height, shares, thin) {
  let bars = 0;
  for (let i = instanceFirst[worker]; i < instanceFirst[worker + 1]; i++) {
    if (instances.end[i] < view.from || instances.begin[i] > view.to) continue;
    const x0 = Math.max(toX(instances.begin[i]), layout.left);
    const x1 = Math.min(toX(instances.end[i]), layout.left + plotWidth);
    addShare(shares, x0 - layout.left, x1 - layout.left, 1);
    bars++;
    if (x1 - x0 < 2) {
      thin.fillFor(instances.task[i], x0 - layout.left, x1 - layout.left);
      continue;
    }
    context.fillStyle = taskColour(instances.task[i]);
    context.fillRect(x0, top, Math.max(x1 - x0 - 0.6, 0.8), height);
  }
  return bars;
}

/* Instances narrower than two pixels: for each task a shade, by its share of the pixel. */
class Shades {
  constructor() { this.of = new Map(); }
  fillFor(task, x0, x1) {
    if (!this.of.has(task)) this.of.set(task, new Float64Array(plotWidth));
    addShare(this.of.get(task), x0, x1, 1);
  }
  draw(context, top, height) {
    for (const [task, shades] of this.of) {
      context.fillStyle = taskColour(task);
      paintShades(context, shades, top, height);
    }
  }
}

/* The instance at a point, or NONE. */
function instanceAt(x, y) {
  const worker = Math.floor((y - layout.rowsTop) / layout.row);
  let best = NONE, nearest = 2;
  if (worker < 0 || worker >= trace.workers || x < layout.left) return NONE;
  for (let i = instanceFirst[worker]; i < instanceFirst[worker + 1]; i++) {
    const away = Math.max(toX(instances.begin[i]) - x, x - toX(instances.end[i]), 0);
    if (away < nearest) {
      best = i;
      nearest = away;
    }
  }
  return best;
}

/* Lines from the chosen instance to the instances that it did not run together with. */
function drawConflicts(context) {
  const centre = (i) => toX((instances.begin[i] + instances.end[i]) / 2);
  context.strokeStyle = context.fillStyle = theme("--mark");
  context.lineWidth = 1.4;
  for (const conflict of conflictsOfId.get(instances.id[chosen.instance]) || []) {
    const other = otherOf(conflict, chosen.instance);
    if (other === NONE) continue;
    drawPointer(context, centre(chosen.instance), instances.worker[chosen.instance],
      centre(other), instances.worker[other]);
  }
}

/* The other instance of a conflict, in the same run; NONE: it is not shown. */
function otherOf(conflict, i) {
  const id = conflict.id === instances.id[i] ? conflict.other : conflict.id;
  const list = (id && instancesOfId.get(id)) || [];
  for (const other of list)
    if (instances.run[other] === instances.run[i] &&
        instances.iteration[other] === instances.iteration[i]) return other;
  return NONE;
}

function instanceOf(id) {
  const list = id && instancesOfId.get(id);
  return list ? list[0] : NONE;
}

/* ---- tables ---- */

function showInstance(panel, fact) {
  const i = chosen.instance, task = graphs.tasks[instances.task[i]];
  append(panel, "b", instanceName(i));
  fact("graph", task.graph);
  fact("run", `${instances.run[i]}, iteration ${instances.iteration[i]}`);
  fact("worker", String(instances.worker[i]));
  fact("begins", time(instances.begin[i]));
  fact("lasts", time(instanceTime(i)) + (instances.shared[i] ? ", its share of a group" : ""));
  const list = append(panel, "ul");
  for (const conflict of (conflictsOfId.get(instances.id[i]) || []).slice(0, 20)) {
    const line = append(list, "li"), other = otherOf(conflict, i);
    const mine = conflict.id === instances.id[i];
    const otherTask = mine ? conflict.otherTask : conflict.task;
    const otherId = mine ? conflict.other : conflict.id;
    line.append(conflict.parted ? "not together with " : mine ? "waited for " : "was waited for by ");
    if (otherTask === undefined) line.append("an instance that is not known");
    else if (other === NONE) append(line, "b", `${taskName(otherTask)} ${otherId}`);
    else
      append(line, "button", instanceName(other)).addEventListener("click", () => {
        chosen.instance = NONE;
        chooseInstance(other);
        revealInstance(other);
      });
    line.append(`, for ${conflict.place}: ${conflict.cause}`);
  }
}

function revealInstance(i) {
  const length = view.to - view.from, middle = (instances.begin[i] + instances.end[i]) / 2;
  if (instances.end[i] < view.from || instances.begin[i] > view.to)
    show(middle - length / 2, length);
}

function tableHead(table, names) {
  table.replaceChildren();
  const head = append(append(table, "thead"), "tr");
  for (const name of names) append(head, "th", name);
  return append(table, "tbody");
}

function showTasks() {
  const body = tableHead(element("tasks"),
    ["task", "graph", "instances", "time", "mean", "longest"]);
  graphs.tasks.forEach((task, number) => {
    const line = append(body, "tr"), name = append(line, "td");
    append(name, "i").style.background = taskColour(number);
    name.append(task.name);
    append(line, "td", task.graph);
    append(line, "td", count(task.instances));
    append(line, "td", time(task.total));
    append(line, "td", time(task.instances ? task.total / task.instances : 0));
    append(line, "td", time(task.longest));
  });
}

/* What a declaration costs: the conflicts of two tasks at the places of one name. The time is what
 * the two instances of each could have run at once. */
function sumConflicts() {
  const sums = new Map();
  for (const conflict of graphs.conflicts) {
    const other = conflict.otherTask === undefined ? "?" : taskName(conflict.otherTask);
    const key = [conflict.task, other, conflict.name, conflict.cause].join("\u0001");
    const sum = sums.get(key) || {task: conflict.task, other, name: conflict.name,
      cause: conflict.cause, found: 0, weight: 0, lost: 0, places: new Map()};
    const a = instanceOf(conflict.id), b = instanceOf(conflict.other);
    sum.found++;
    sum.weight += conflict.weight;
    if (a !== NONE && b !== NONE)
      sum.lost += conflict.weight * Math.min(instanceTime(a), instanceTime(b));
    sum.places.set(conflict.place, (sum.places.get(conflict.place) || 0) + 1);
    sums.set(key, sum);
  }
  return [...sums.values()].sort((a, b) => b.lost - a.lost || b.weight - a.weight);
}

function showConflicts() {
  const body = tableHead(element("conflicts"),
    ["task", "not together with", "for", "cause", "most often", "found", "about", "at once"]);
  for (const sum of sumConflicts().slice(0, 50)) {
    const line = append(body, "tr"), name = append(line, "td");
    const most = [...sum.places].sort((a, b) => b[1] - a[1]).slice(0, 3);
    append(name, "i").style.background = taskColour(sum.task);
    name.append(taskName(sum.task));
    append(line, "td", sum.other);
    append(line, "td", sum.name || "a signature");
    append(line, "td", sum.cause);
    append(line, "td", most.map(([place, times]) => `${place} (${count(times)})`).join(", "));
    append(line, "td", count(sum.found));
    append(line, "td", count(Math.round(sum.weight)));
    append(line, "td", time(sum.lost));
  }
}

function showGraphs() {
  element("graphs").hidden = graphs.tasks.length === 0;
  element("why").hidden = graphs.conflicts.length === 0;
  element("tree-section").hidden = graphs.tasks.length !== 0 && phaseCount === 0;
  showTasks();
  showConflicts();
}
