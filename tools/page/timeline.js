/* Rows of workers over time, and above them the share of workers that are at work (Steal Tree,
 * figure 8). How long a phase waited is known, and not when: the waiting is spread over all of it.
 * Phases narrower than two pixels are drawn as a shade, by their share of the pixel. */
const view = {from: 0, to: Math.max(trace.duration, 1)};
const layout = {left: 46, right: 10, chartTop: 8, chartHeight: 92, rowsTop: 122, axis: 24};
layout.row = Math.max(6, Math.min(26, Math.floor(460 / trace.workers)));
layout.height = layout.rowsTop + layout.row * trace.workers + layout.axis;

/* Which share of the time that nothing ran inside of it a phase was at work. */
const intensity = (phase) => phases.own[phase] === 0 ? 0
  : phases.own[phase] / (phases.own[phase] + phases.waited[phase]);

/* Where a worker's phases begin and end in the lists. */
const workerFirst = new Int32Array(trace.workers + 1);
for (let i = 0; i < phaseCount; i++) workerFirst[phases.worker[i] + 1]++;
for (let w = 0; w < trace.workers; w++) workerFirst[w + 1] += workerFirst[w];

/* How many phases of the same worker are around each. */
const nesting = new Int32Array(phaseCount);
for (let i = 0; i < phaseCount; i++)
  nesting[i] = phases.enclosing[i] === NONE ? 0 : nesting[phases.enclosing[i]] + 1;

/* Is a phase of asyncs of an instance? Its worker is at work already. */
const inInstance = new Uint8Array(phaseCount);
for (let i = 0, at = 0; i < phaseCount && instanceCount > 0; i++) {
  const worker = phases.worker[i];
  while (at < instanceCount && (instances.worker[at] < worker ||
      (instances.worker[at] === worker && instances.end[at] < phases.begin[i]))) at++;
  inInstance[i] = at < instanceCount && instances.worker[at] === worker &&
    instances.begin[at] <= phases.begin[i] ? 1 : 0;
}

const childrenOf = Array.from({length: phaseCount}, () => []);
for (let i = 0; i < phaseCount; i++)
  if (phases.parent[i] !== NONE) childrenOf[phases.parent[i]].push(i);
for (const list of childrenOf) list.sort((a, b) => phases.begin[a] - phases.begin[b]);

let plotWidth = 1;
const toX = (ns) => layout.left + (ns - view.from) / (view.to - view.from) * plotWidth;
const toTime = (x) => view.from + (x - layout.left) / plotWidth * (view.to - view.from);
const rowTop = (worker) => layout.rowsTop + worker * layout.row;

function addShare(shares, x0, x1, weight) {
  for (let x = Math.max(0, Math.floor(x0)); x < shares.length && x < x1; x++)
    shares[x] += weight * (Math.min(x1, x + 1) - Math.max(x0, x));
}

/* Each pixel's share of what the columns of the whole file say. */
function addColumns(shares, columns) {
  const width = trace.duration / columns.length;
  for (let x = 0; x < shares.length; x++) {
    const column = Math.floor(toTime(layout.left + x + 0.5) / width);
    if (column >= 0 && column < columns.length) shares[x] += columns[column] / 1000;
  }
}

/* Waiting is not nothing: what only waits is still to be seen. */
const paleness = (phase) => 0.3 + 0.7 * intensity(phase);

/* Bars that are too narrow: columns of one pixel, each as opaque as its share, up to a limit. */
function paintShades(context, shades, top, height, opaque = 1) {
  for (let x = 0; x < shades.length; x++) {
    if (shades[x] < 0.004) continue;
    context.globalAlpha = Math.min(1, shades[x]) * opaque;
    context.fillRect(layout.left + x, top, 1, height);
  }
  context.globalAlpha = 1;
}

function drawRow(context, worker, shares, thin) {
  const top = rowTop(worker), height = layout.row - (layout.row > 8 ? 2 : 1);
  let bars = 0;
  context.fillStyle = theme("--idle");
  context.fillRect(layout.left, top, plotWidth, height);
  thin.fill(0);
  const shades = new Shades();
  bars += drawInstances(context, worker, top, height, shares, shades);
  shades.draw(context, top, height);
  if (graphs.columns) {
    addColumns(thin, graphs.columns[worker]);
    context.fillStyle = theme("--soft");
    paintShades(context, thin, top, height, 0.5);
    thin.fill(0);
  }
  context.fillStyle = workerColour(worker);
  for (let i = workerFirst[worker]; i < workerFirst[worker + 1]; i++) {
    if (nesting[i] > 0 || phases.end[i] < view.from || phases.begin[i] > view.to) continue;
    const x0 = Math.max(toX(phases.begin[i]), layout.left);
    const x1 = Math.min(toX(phases.end[i]), layout.left + plotWidth);
    if (!inInstance[i]) addShare(shares, x0 - layout.left, x1 - layout.left, intensity(i));
    bars++;
    if (x1 - x0 < 2) {
      addShare(thin, x0 - layout.left, x1 - layout.left, paleness(i));
      continue;
    }
    context.globalAlpha = paleness(i);
    context.fillRect(x0, top, Math.max(x1 - x0 - 0.6, 0.8), height);
  }
  context.globalAlpha = 1;
  if (trace.columns) addColumns(thin, trace.columns[worker]);
  paintShades(context, thin, top, height);
  return bars + drawInner(context, worker, top, height, shares);
}

/* Phases inside of one that waits: narrower, darker. */
function drawInner(context, worker, top, height, shares) {
  let bars = 0;
  context.fillStyle = theme("--ink");
  for (let i = workerFirst[worker]; i < workerFirst[worker + 1]; i++) {
    if (nesting[i] === 0 || phases.end[i] < view.from || phases.begin[i] > view.to) continue;
    const x0 = Math.max(toX(phases.begin[i]), layout.left);
    const x1 = Math.min(toX(phases.end[i]), layout.left + plotWidth);
    /* It takes the place of the phase around it. */
    addShare(shares, x0 - layout.left, x1 - layout.left,
      intensity(i) - intensity(phases.enclosing[i]));
    const inset = Math.min(height * 0.42, height * (0.5 - 0.5 / (nesting[i] + 1)));
    context.globalAlpha = Math.min(0.45, 0.2 * (x1 - x0) + 0.05);
    context.fillRect(x0, top + inset, Math.max(x1 - x0 - 0.6, 0.4), height - 2 * inset);
    bars++;
  }
  context.globalAlpha = 1;
  return bars;
}

function drawRowNames(context) {
  const step = layout.row >= 12 ? 1 : layout.row >= 8 ? 2 : 4;
  context.fillStyle = theme("--soft");
  context.textAlign = "right";
  for (let w = 0; w < trace.workers; w += step)
    context.fillText(String(w), layout.left - 8, rowTop(w) + layout.row / 2);
}

/* The share of workers that are at work, pixel by pixel. */
function drawUse(context, shares) {
  const bottom = layout.chartTop + layout.chartHeight;
  const y = (share) =>
    bottom - Math.min(1, Math.max(0, share / trace.workers)) * layout.chartHeight;
  context.textAlign = "right";
  for (const part of [0, 0.5, 1]) {
    context.fillStyle = theme("--soft");
    context.fillText(100 * part + "%", layout.left - 8, y(part * trace.workers));
    context.fillStyle = theme("--line");
    context.fillRect(layout.left, Math.round(y(part * trace.workers)), plotWidth, 1);
  }
  context.beginPath();
  context.moveTo(layout.left, bottom);
  for (let x = 0; x < shares.length; x++) context.lineTo(layout.left + x + 0.5, y(shares[x]));
  context.lineTo(layout.left + shares.length, bottom);
  context.fillStyle = theme("--area");
  context.fill();
  context.beginPath();
  for (let x = 0; x < shares.length; x++) context.lineTo(layout.left + x + 0.5, y(shares[x]));
  context.strokeStyle = theme("--accent");
  context.lineWidth = 1.2;
  context.stroke();
}

/* A mark of the axis: all of them in one unit, with as many digits as tell them apart. */
function axisTime(ns, step) {
  const unit = Math.min(3, Math.max(0, Math.floor(Math.log10(view.to) / 3)));
  const size = Math.pow(1000, unit);
  const digits = Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9));
  return (ns / size).toFixed(digits) + " " + ["ns", "\u00b5s", "ms", "s"][unit];
}

function drawAxis(context) {
  const bottom = layout.rowsTop + layout.row * trace.workers;
  const rough = (view.to - view.from) / Math.max(2, plotWidth / 110);
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  context.textAlign = "center";
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const x = toX(at);
    context.fillStyle = theme("--line");
    context.fillRect(Math.round(x), bottom, 1, 5);
    context.fillStyle = theme("--soft");
    context.fillText(axisTime(at, step), Math.min(x, layout.left + plotWidth - 20), bottom + 14);
  }
}

/* A line between the rows of two workers, with a dot at its end. */
function drawPointer(context, x0, from, x1, to) {
  const middle = (worker) => rowTop(worker) + layout.row / 2 - 1;
  context.beginPath();
  context.moveTo(x0, middle(from));
  context.lineTo(x1, middle(to));
  context.stroke();
  context.beginPath();
  context.arc(x1, middle(to), 2.6, 0, 7);
  context.fill();
}

/* From the phase to where it was stolen, and to what was stolen from it. */
function drawThefts(context, phase) {
  const arrow = (from, to) => {
    const x = toX(phases.begin[to]);
    if (x < layout.left || x > layout.left + plotWidth) return;
    drawPointer(context, x, phases.worker[from], x, phases.worker[to]);
  };
  context.strokeStyle = context.fillStyle = theme("--ink");
  context.lineWidth = 1;
  for (const child of childrenOf[phase]) arrow(phase, child);
  context.strokeStyle = context.fillStyle = theme("--mark");
  context.lineWidth = 1.6;
  if (phases.parent[phase] !== NONE) arrow(phases.parent[phase], phase);
}

/* Outlines a phase or an instance, entry `i` of its list. */
function outline(context, list, i, colour) {
  const x0 = Math.max(toX(list.begin[i]), layout.left - 1);
  const x1 = Math.min(toX(list.end[i]), layout.left + plotWidth + 1);
  if (x1 < layout.left || x0 > layout.left + plotWidth) return;
  context.strokeStyle = theme(colour);
  context.lineWidth = 1.8;
  context.strokeRect(x0, rowTop(list.worker[i]) - 0.5, Math.max(x1 - x0, 2), layout.row - 1);
}

function drawTimeline() {
  const {context, width} = prepare(element("timeline"), layout.height);
  plotWidth = Math.max(1, Math.floor(width - layout.left - layout.right));
  const shares = new Float64Array(plotWidth), thin = new Float64Array(plotWidth);
  let bars = 0;
  for (let w = 0; w < trace.workers; w++) bars += drawRow(context, w, shares, thin);
  if (trace.columns || graphs.columns) {
    if (graphs.columns || instanceCount === 0) shares.fill(0);
    for (const columns of trace.columns || []) addColumns(shares, columns);
    for (const columns of graphs.columns || []) addColumns(shares, columns);
  }
  drawUse(context, shares);
  drawRowNames(context);
  drawAxis(context);
  if (chosen.phase !== NONE) {
    drawThefts(context, chosen.phase);
    outline(context, phases, chosen.phase, "--mark");
  }
  if (chosen.hover !== NONE && chosen.hover !== chosen.phase)
    outline(context, phases, chosen.hover, "--ink");
  if (chosen.instance !== NONE) {
    drawConflicts(context);
    outline(context, instances, chosen.instance, "--mark");
  }
  if (chosen.hoverInstance !== NONE && chosen.hoverInstance !== chosen.instance)
    outline(context, instances, chosen.hoverInstance, "--ink");
  document.documentElement.dataset.timeline = bars;
}

/* The innermost phase at a point, or NONE. */
function phaseAt(x, y) {
  const worker = Math.floor((y - layout.rowsTop) / layout.row);
  let best = NONE, nearest = 2;
  if (worker < 0 || worker >= trace.workers || x < layout.left) return NONE;
  for (let i = workerFirst[worker]; i < workerFirst[worker + 1]; i++) {
    const away = Math.max(toX(phases.begin[i]) - x, x - toX(phases.end[i]), 0);
    if (away < nearest || (away === nearest && best !== NONE && nesting[i] > nesting[best])) {
      best = i;
      nearest = away;
    }
  }
  return best;
}

function zoom(factor, x) {
  const at = toTime(x), length = (view.to - view.from) * factor;
  const shortest = Math.max(trace.duration / 1e6, 10);
  const clipped = Math.min(Math.max(length, shortest), trace.duration || 1);
  show(at - (at - view.from) * clipped / (view.to - view.from), clipped);
}

function show(from, length) {
  view.from = Math.max(0, Math.min(from, trace.duration - length));
  view.to = view.from + length;
  redraw();
}

/* Moves to where a phase is, unless it is in sight. */
function reveal(phase) {
  const length = view.to - view.from, middle = (phases.begin[phase] + phases.end[phase]) / 2;
  if (phases.end[phase] < view.from || phases.begin[phase] > view.to)
    show(middle - length / 2, length);
}

function timelineEvents(canvas) {
  const middle = () => layout.left + plotWidth / 2;
  const keys = {
    "+": () => zoom(0.6, middle()), "=": () => zoom(0.6, middle()),
    "-": () => zoom(1 / 0.6, middle()),
    "0": () => show(0, Math.max(trace.duration, 1)),
    ArrowLeft: () => show(view.from - (view.to - view.from) / 8, view.to - view.from),
    ArrowRight: () => show(view.from + (view.to - view.from) / 8, view.to - view.from),
  };
  let drag = null;
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(event.deltaY * 0.0016), event.offsetX);
  }, {passive: false});
  canvas.addEventListener("pointerdown", (event) => {
    drag = {x: event.offsetX, from: view.from, moved: false};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag && Math.abs(event.offsetX - drag.x) > 3) drag.moved = true;
    if (drag && drag.moved) {
      const perPixel = (view.to - view.from) / plotWidth;
      show(drag.from - (event.offsetX - drag.x) * perPixel, view.to - view.from);
    }
    chosen.hover = phaseAt(event.offsetX, event.offsetY);
    chosen.hoverInstance = chosen.hover === NONE ? instanceAt(event.offsetX, event.offsetY) : NONE;
    showTip(event, chosen.hover !== NONE ? describe(chosen.hover)
      : chosen.hoverInstance !== NONE ? describeInstance(chosen.hoverInstance) : "");
    redraw();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) {
      const phase = phaseAt(event.offsetX, event.offsetY);
      if (phase !== NONE || instanceCount === 0) choose(phase);
      else chooseInstance(instanceAt(event.offsetX, event.offsetY));
    }
    drag = null;
  });
  canvas.addEventListener("pointerleave", (event) => {
    chosen.hover = chosen.hoverInstance = NONE;
    showTip(event, "");
    redraw();
  });
  canvas.addEventListener("dblclick", () => keys["0"]());
  canvas.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  element("zoom-in").addEventListener("click", keys["+"]);
  element("zoom-out").addEventListener("click", keys["-"]);
  element("zoom-all").addEventListener("click", keys["0"]);
}
