// Draws the area of interest: a box or a polygon, and clears it. The page is told as of any drawing.
// By keys as well: arrows move the map below a cross, Enter takes the place at it, as a click does.
// Measures a line and the polygon that it closes; the server counts on the ellipsoid. A line for a profile is told too.
(function (map) {
  const control = L.control({position: "topleft"});
  const container = map.getContainer();
  const glass = L.DomUtil.create("div", "treeline-glass", container);
  const hint = L.DomUtil.create("div", "treeline-hint", container);
  L.DomUtil.create("div", "treeline-cross", container);
  container.setAttribute("role", "region");
  container.setAttribute("aria-label", "Map. Arrows move it, plus and minus zoom, Enter takes the place at the cross.");
  L.DomEvent.disableClickPropagation(glass).disableScrollPropagation(glass);
  const tell = (geometry) => {
    const feature = {type: "Feature", properties: {drawn: Date.now()}, geometry: geometry};
    map.fire("draw:created", {layerType: "polygon", layer: {toGeoJSON: () => feature}});
  };
  const round = (point) => [Number(point.lng.toFixed(7)), Number(point.lat.toFixed(7))];
  const ring = (points) => ({type: "Polygon", coordinates: [[...points, points[0]].map(round)]});
  const corners = (one, other) => {
    const box = L.latLngBounds(one, other);
    return [box.getSouthWest(), box.getSouthEast(), box.getNorthEast(), box.getNorthWest()];
  };
  let kind = null;
  let points = [];
  let sketch = null;
  let byKeys = false;
  const buttons = {};
  const hints = {
    box: "Drag from one corner to the other. Esc ends.",
    polygon: "Click each corner; click the first one again or press Enter to close. Esc ends.",
    measure: "Click points to measure. Esc ends.",
    line: "Click along a line; a double click or Enter ends it. Esc leaves.",
  };
  const hintsOfKeys = {
    box: "Arrows move the map, Enter takes a corner, then the one across. Esc ends.",
    polygon: "Arrows move the map, Enter takes each corner; Enter twice closes. Esc ends.",
    measure: "Arrows move the map, Enter takes points to measure. Esc ends.",
    line: "Arrows move the map, Enter takes points along a line; Enter twice ends it. Esc leaves.",
  };
  let asked = 0;
  let timer = null;
  const length = (metres) => (metres < 1000 ? metres.toFixed(1) + " m" : (metres / 1000).toFixed(3) + " km");
  const size = (area) => (area < 1e6 ? (area / 1e4).toFixed(3) + " ha" : (area / 1e6).toFixed(3) + " km\u00b2");
  const measure = (line) => {
    clearTimeout(timer);
    if (line.length < 2) return;
    const number = ++asked;
    timer = setTimeout(() => {
      fetch(ROOT + "/measure?line=" + line.map((p) => round(p).join(",")).join(";"))
        .then((answer) => (answer.ok ? answer.json() : null))
        .then((found) => {
          if (number !== asked || kind !== "measure" || !found) return;
          const closed = found.square_metres ? ", closed " + size(found.square_metres) : "";
          hint.textContent = length(found.metres) + closed;
        }).catch(() => {});
    }, 60);
  };
  const show = (shape, closed) => {
    if (sketch) sketch.remove();
    const style = {className: "treeline-sketch", interactive: false, fill: closed, dashArray: closed ? null : "4"};
    sketch = shape.length ? (closed ? L.polygon(shape, style) : L.polyline(shape, style)).addTo(map) : null;
  };
  const stop = () => {
    kind = null;
    points = [];
    glass.style.display = hint.style.display = "none";
    container.classList.remove("treeline-drawing");
    Object.values(buttons).forEach((button) => button.classList.remove("treeline-on"));
  };
  const finish = (shape) => {
    show(shape, true);
    stop();
    tell(ring(shape));
  };
  const distinct = () => points.filter((p, i) => i === 0 || !p.equals(points[i - 1]));
  const finishLine = () => {
    const line = distinct();
    if (line.length < 2) return;
    show(line, false);
    stop();
    tell({type: "LineString", coordinates: line.map(round)});
  };
  const start = (wanted, event) => {
    const again = kind === wanted;
    stop();
    show([], false);
    asked += 1;
    if (again) return;
    kind = wanted;
    buttons[kind].classList.add("treeline-on");
    byKeys = event.detail === 0; // a button that is pressed by a key counts no clicks
    hint.textContent = (byKeys ? hintsOfKeys : hints)[kind];
    glass.style.display = hint.style.display = "block";
    container.classList.add("treeline-drawing");
    container.focus();
  };
  const place = (event) => map.mouseEventToLatLng(event);
  const near = (event) => points.length > 2
    && map.mouseEventToContainerPoint(event).distanceTo(map.latLngToContainerPoint(points[0])) < 10;
  glass.addEventListener("pointerdown", (event) => {
    if (kind !== "box") return;
    glass.setPointerCapture(event.pointerId);
    points = [place(event)];
  });
  const follow = (event) => {
    if (!points.length) return;
    const here = place(event);
    if (kind === "box") show(corners(points[0], here), true);
    else if (kind === "measure") { show([...points, here], false); measure([...points, here]); }
    else show([...points, kind === "polygon" && near(event) ? points[0] : here], false);
  };
  const take = (event) => {
    if (kind === "box" && points.length) {
      const shape = corners(points[0], place(event));
      if (shape[0].lat < shape[2].lat && shape[0].lng < shape[2].lng) finish(shape);
      else points = [];
    } else if (kind === "measure") {
      points = [...points, place(event)];
      show(points, false);
      measure(points);
    } else if (kind === "polygon" || kind === "line") {
      if (kind === "polygon" && near(event)) { finish(points); return; }
      points = [...points, place(event)];
      show(points, false);
    }
  };
  const end = () => {
    const corner = distinct();
    if (kind === "polygon" && corner.length > 2) finish(corner);
    if (kind === "line") finishLine();
  };
  glass.addEventListener("pointermove", (event) => { byKeys = false; follow(event); });
  glass.addEventListener("pointerup", take);
  glass.addEventListener("dblclick", end);
  // The place at the cross, as a pointer would tell it.
  const atCross = () => {
    const {left, top} = container.getBoundingClientRect();
    const {x, y} = map.getSize().divideBy(2);
    return {clientX: left + x, clientY: top + y};
  };
  const takeAtCross = () => {
    const here = place(atCross());
    if (!kind) map.fire("click", {latlng: here, containerPoint: map.getSize().divideBy(2)});
    else if (kind === "box" && !points.length) points = [here];
    else if (points.length && kind !== "box" && points[points.length - 1].equals(here)) end();
    else take(atCross());
  };
  map.on("move", () => { if (kind && byKeys) follow(atCross()); });
  // A browser counts a click as focus by keys where a key was pressed before, such as those of the question.
  container.addEventListener("pointerdown", () => container.classList.add("treeline-clicked"), true);
  document.addEventListener("keydown", (event) => {
    container.classList.remove("treeline-clicked");
    if (event.key === "Escape" && kind) { show([], false); stop(); }
    if (event.target !== container) return;
    if (event.key.startsWith("Arrow")) byKeys = true;
    if (event.key !== "Enter" || event.repeat) return;
    event.preventDefault();
    if (kind && !byKeys) end(); else takeAtCross();
  });
  const button = (parent, name, title, sign, press) => {
    const made = L.DomUtil.create("a", "treeline-draw treeline-draw-" + name, parent);
    made.href = "#";
    made.title = title;
    made.setAttribute("role", "button");
    made.setAttribute("aria-label", title);
    made.innerHTML = sign;
    L.DomEvent.on(made, "click", L.DomEvent.stop).on(made, "click", press);
    buttons[name] = made;
  };
  const icon = (inside) => '<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" '
    + 'stroke-width="1.5" aria-hidden="true">' + inside + "</svg>";
  control.onAdd = () => {
    const bar = L.DomUtil.create("div", "leaflet-bar");
    L.DomEvent.disableClickPropagation(bar);
    if (DRAWABLE) {
      button(bar, "box", "Draw a box as area of interest", icon('<rect x="2.5" y="3.5" width="11" height="9"/>'),
        (event) => start("box", event));
      button(bar, "polygon", "Draw a polygon as area of interest",
        icon('<path d="M3 6 8.5 2.5 13.5 7 11 13H4.5Z"/>'), (event) => start("polygon", event));
    }
    button(bar, "measure", "Measure distance and area",
      icon('<path d="M2 11 11 2 14 5 5 14ZM5 8.2 6.6 9.8M8 5.2 9.6 6.8"/>'), (event) => start("measure", event));
    if (DRAWABLE) {
      button(bar, "line", "Profile along a line", icon('<path d="M2 13.5H14M2.5 10 6 4.5 9 8 13.5 3"/>'),
        (event) => start("line", event));
    }
    button(bar, "clear", DRAWABLE ? "Clear the area of interest" : "Clear what was measured", icon('<path d="M4 4 12 12M12 4 4 12"/>'), () => {
      show([], false);
      stop();
      if (DRAWABLE) tell(null);
    });
    return bar;
  };
  control.addTo(map);
  // The page draws the area or the line itself once it has taken it.
  map.on("layeradd", (event) => {
    const taken = ["treeline-area", "treeline-line"].includes(event.layer.options && event.layer.options.className);
    if (sketch && taken && !kind) show([], false);
  });
})(MAP);
