/* The numbers around the pictures, and the start. */
function append(parent, tag, text, className) {
  const child = document.createElement(tag);
  if (text !== undefined) child.textContent = text;
  if (className) child.className = className;
  parent.append(child);
  return child;
}

function showFigures() {
  const work = trace.table.reduce((sum, row) => sum + row.work, 0);
  const figures = [
    [time(trace.active), "with work in progress"],
    [percent(trace.active ? work / trace.active / trace.workers : 0),
      `of ${trace.workers} workers at work`],
    [count(trace.steals), "steals"],
    [count(trace.asyncs), "asyncs"],
    [count(trace.phaseCount), "phases"],
    [time(trace.longest), "at work in the longest phase"],
    [bytes(trace.bytes), "recorded"],
  ];
  if (trace.graphs)
    figures.splice(2, phaseCount ? 0 : 4, [count(graphs.count), "instances"],
      [graphs.stages ? (graphs.count / graphs.stages).toFixed(1) : "\u2013", "instances a stage"],
      [count(graphs.deferrals), "deferrals"], [count(graphs.conflictCount), "conflicts found"]);
  const list = element("figures"), legend = element("legend");
  list.replaceChildren();
  for (const [value, label] of figures) {
    const item = append(list, "li");
    append(item, "b", value);
    append(item, "span", label);
  }
  legend.replaceChildren();
  showGraphs();
  const inner = `linear-gradient(${workerColour(0)} 25%, ${theme("--ink")} 25% 75%, ` +
    `${workerColour(0)} 75%)`;
  const marks = graphs.tasks.slice(0, 8).map((task, number) => [taskColour(number), 1, task.name]);
  if (phaseCount || !trace.graphs)
    marks.push([workerColour(0), 1, "at work"],
      [workerColour(0), 0.45, "paler: a phase that waited for part of it"],
      [inner, 0.75, "a phase inside of one that waits"]);
  marks.push([theme("--idle"), 1, "idle"]);
  for (const [colour, opacity, label] of marks) {
    const mark = append(legend, "i");
    mark.style.background = colour;
    mark.style.opacity = opacity;
    legend.append(label);
  }
  showWorkers();
}

function showWorkers() {
  const table = element("workers");
  table.replaceChildren();
  const head = append(append(table, "thead"), "tr");
  for (const name of ["worker", "phases", "steals", "stolen from it", "asyncs", "waiting",
    "at work"])
    append(head, "th", name);
  append(head, "th", "of the time with work in progress").style.textAlign = "left";
  const body = append(table, "tbody");
  trace.table.forEach((row, worker) => {
    const line = append(body, "tr"), name = append(line, "td");
    append(name, "i").style.background = workerColour(worker);
    name.append(String(worker));
    for (const value of [row.phases, row.steals, row.stolen, row.asyncs])
      append(line, "td", count(value));
    append(line, "td", time(row.waited));
    append(line, "td", time(row.work));
    const use = append(line, "td", undefined, "use");
    const share = trace.active ? row.work / trace.active : 0;
    append(append(use, "div"), "div").style.width = percent(Math.min(share, 1));
    append(use, "span", percent(share));
  });
}

function showPhase() {
  const panel = element("phase"), phase = chosen.phase;
  const fact = (label, value) => {
    const part = append(panel, "div");
    append(part, "span", label + " ");
    append(part, "b", value);
  };
  panel.replaceChildren();
  if (chosen.instance !== NONE) {
    showInstance(panel, fact);
    return;
  }
  if (phase === NONE) {
    append(panel, "span", phaseCount || !trace.graphs
      ? "Click a phase in either picture to see what it is, where it was " +
        "stolen, and what was stolen from it."
      : "Click an instance to see what it is, and what it did not run together with.");
    return;
  }
  const name = phaseName(phase);
  append(panel, "b", name[0].toUpperCase() + name.slice(1));
  fact("", origin(phase));
  fact("begins", time(phases.begin[phase]));
  fact("lasts", time(phases.end[phase] - phases.begin[phase]));
  fact("at work", time(phases.own[phase]));
  if (phases.waited[phase]) fact("waiting", time(phases.waited[phase]));
  fact("asyncs", count(phases.asyncs[phase]));
  fact("stolen from it", count(phases.steals[phase]));
  fact("levels below", count(subtree.levels[phase] - 1));
  if (phases.suspended[phase]) fact("", "suspended at a finish");
}

(function start() {
  const notes = [];
  document.title = trace.name + (phaseCount || !trace.graphs ? " \u2013 steal tree" : " \u2013 graphs");
  element("title").textContent = trace.name;
  element("subtitle").textContent = `${trace.policy}, ${trace.workers} ` +
    `worker${trace.workers === 1 ? "" : "s"}, ${time(trace.recorded)} recorded`;
  if (trace.problem)
    notes.push(`This trace is inconsistent, and shown as far as it goes: ${trace.problem}.`);
  if (trace.lost)
    notes.push(`${count(trace.lost)} beginnings and ends of phases did not fit and are lost.`);
  if (trace.phaseCount > phaseCount)
    notes.push(`Of ${count(trace.phaseCount)} phases ${count(phaseCount)} are shown one by one: ` +
      "the longest, and those that they were stolen from. Utilisation counts all.");
  if (graphs.lost)
    notes.push(`${count(graphs.lost)} events of graphs did not fit and are lost.`);
  if (graphs.count > instanceCount)
    notes.push(`Of ${count(graphs.count)} instances the longest ${count(instanceCount)} are shown ` +
      "one by one. Utilisation counts all.");
  if (graphs.conflictCount > graphs.conflicts.length)
    notes.push(`Of ${count(graphs.conflictCount)} conflicts ${count(graphs.conflicts.length)} are shown.`);
  element("notes").textContent = notes.join(" ");
  element("footer").textContent =
    `svs ${trace.version}. Times count from the beginning of the first phase.`;
  element("timeline").setAttribute("aria-label", `Utilisation of ${trace.workers} workers over ` +
    `${time(trace.duration)}; the table below has the figures.`);
  element("tree").setAttribute("aria-label",
    `The steal tree of ${count(trace.phaseCount)} phases.`);
  showFigures();
  showPhase();
  showPath();
  timelineEvents(element("timeline"));
  treeEvents(element("tree"));
  pictures.push(drawTimeline, drawTree);
  for (const draw of pictures) draw();
  new ResizeObserver(redraw).observe(document.body);
  document.documentElement.dataset.ready =
    `${trace.workers} worker${trace.workers === 1 ? "" : "s"}, ${phaseCount} phases` +
    (trace.graphs ? `, ${instanceCount} instances, ${graphs.conflicts.length} conflicts` : "");
})();
