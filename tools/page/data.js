"use strict";
/* The data of the page, the format of its numbers, and common code of its pictures.
 * Each list of `phases` has one entry a phase; -1 takes the place of one where there is none. */
const element = (id) => document.getElementById(id);

/* Errors stand where a person sees them, and a test. */
window.addEventListener("error", (event) => {
  document.documentElement.dataset.error = event.message;
  element("notes").textContent = "This page failed: " + event.message;
});

const trace = JSON.parse(element("trace").textContent);
const phases = trace.phases;
const phaseCount = phases.worker.length;
const NONE = -1;
const kinds = ["root", "stolen", "resumed"];

const chosen = {phase: NONE, hover: NONE};
const pictures = [];

let drawing = false;
function redraw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    for (const draw of pictures) draw();
  });
}

function choose(phase) {
  chosen.phase = chosen.phase === phase ? NONE : phase;
  chosen.instance = NONE;
  showPhase();
  redraw();
}

function count(value) {
  return value.toLocaleString("en-US");
}

function scaled(value, base, units) {
  let unit = 0;
  while (unit + 1 < units.length && Math.abs(value) >= base * 0.9995) {
    value /= base;
    unit++;
  }
  const size = Math.abs(value);
  const text = unit === 0 || size >= 99.95 ? value.toFixed(0)
    : size >= 9.995 ? value.toFixed(1) : String(Number(value.toPrecision(3)));
  return text + " " + units[unit];
}

const time = (ns) => scaled(ns, 1000, ["ns", "\u00b5s", "ms", "s"]);
const bytes = (value) => scaled(value, 1024, ["bytes", "KB", "MB", "GB"]);
const percent = (share) => (100 * share).toFixed(1) + "%";

/* Hues as far from those of the workers before as can be: steps of the golden section. */
function workerColour(worker) {
  const hue = ((255 + 137.508 * worker) % 360).toFixed(1);
  return `oklch(${theme("--light")} ${theme("--tint")} ${hue})`;
}

let themeCache = new Map();
function theme(name) {
  if (!themeCache.has(name))
    themeCache.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return themeCache.get(name);
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  themeCache = new Map();
  showFigures();
  redraw();
});

/* The context of a canvas of `height` CSS pixels, sharp on any screen, and its width. */
function prepare(canvas, height) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(canvas.clientWidth, 200);
  canvas.style.height = height + "px";
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
  context.textBaseline = "middle";
  return {context, width};
}

function phaseName(phase) {
  return `phase ${phases.number[phase]} of worker ${phases.worker[phase]}`;
}

function origin(phase) {
  const parent = phases.parent[phase];
  if (parent === NONE) return kinds[phases.kind[phase]];
  return phases.kind[phase] === 2 ? `resumes after ${phaseName(parent)}`
    : `async ${count(phases.at[phase])}, stolen from ${phaseName(parent)}`;
}

function describe(phase) {
  const waited = phases.waited[phase] ? `, ${time(phases.waited[phase])} of it waiting` : "";
  return `${phaseName(phase)}\n${origin(phase)}\n` +
    `${time(phases.end[phase] - phases.begin[phase])} from ${time(phases.begin[phase])}` +
    `${waited}, ` +
    `${count(phases.asyncs[phase])} asyncs, ${count(phases.steals[phase])} stolen from it`;
}

function showTip(event, text) {
  const tip = element("tip");
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const box = tip.getBoundingClientRect();
  const left = event.clientX + 14 + box.width > innerWidth ? event.clientX - box.width - 10
    : event.clientX + 14;
  const top = event.clientY + 16 + box.height > innerHeight ? event.clientY - box.height - 10
    : event.clientY + 16;
  tip.style.left = Math.max(left, 4) + "px";
  tip.style.top = Math.max(top, 4) + "px";
}
