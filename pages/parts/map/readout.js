// Value under the pointer and legend of the uppermost layer. Texts are set as text, never as HTML.
(function (map) {
  // Only here is the size known: a low window makes the map lower.
  if (map.getSize().y > 100) map.fitBounds(HOME, {animate: false, padding: [6, 6]});
  L.control.scale({imperial: false, position: "bottomright"}).addTo(map);
  L.control.attribution({prefix: false, position: "bottomright"}).addTo(map);
  const box = L.control({position: "bottomleft"});
  let shown = null;
  let names = new Map();
  let asked = 0;
  let timer = null;
  const part = (name, parent) => {
    const node = L.DomUtil.create("div", "treeline-" + name, parent);
    return node;
  };
  box.onAdd = () => {
    const root = L.DomUtil.create("div", "treeline-readout");
    box.title = part("title", root);
    box.scale = part("scale", root);
    box.ends = part("ends", root);
    box.low = L.DomUtil.create("span", "", box.ends);
    box.high = L.DomUtil.create("span", "", box.ends);
    box.value = part("value", root);
    root.style.display = "none";
    box.root = root;
    return root;
  };
  box.addTo(map);

  const uppermost = () => {
    let best = null;
    map.eachLayer((layer) => {
      const ours = layer._url && layer._url.startsWith(TILES + "/");
      if (ours && (!best || layer.options.zIndex > best.options.zIndex)) best = layer;
    });
    return best;
  };
  const split = (layer) => {
    const [path, query] = layer._url.split("?");
    return {base: path.slice(0, path.indexOf("/", TILES.length + 1)), query: query || ""};
  };
  const short = (number) => (Math.abs(number) >= 1000 ? number.toFixed(0) : Number(number.toPrecision(3)).toString());

  const paint = (legend) => {
    names = new Map((legend.classes || []).map(([value, , name]) => [value, name]));
    box.title.textContent = legend.title + (legend.unit ? " [" + legend.unit + "]" : "");
    box.scale.replaceChildren();
    box.scale.style.background = "";
    box.ends.style.display = legend.colours ? "" : "none";
    box.scale.style.display = legend.colours || legend.classes ? "" : "none";
    box.scale.className = legend.classes ? "treeline-classes" : "treeline-scale";
    if (legend.colours) {
      box.scale.style.background = "linear-gradient(to right," + legend.colours.join(",") + ")";
      box.low.textContent = short(legend.low);
      box.high.textContent = short(legend.high);
    }
    (legend.classes || []).forEach(([value, colour, name]) => {
      const item = L.DomUtil.create("span", "", box.scale);
      const patch = L.DomUtil.create("i", "", item);
      patch.style.background = colour;
      item.appendChild(document.createTextNode(name || String(value)));
    });
    box.value.textContent = "";
    box.root.style.display = "";
  };
  const refresh = () => {
    const layer = uppermost();
    const address = layer ? layer._url : null;
    if (address === shown) return;
    shown = address;
    if (!layer) { box.root.style.display = "none"; return; }
    const {base, query} = split(layer);
    fetch(base + "/legend.json?" + query).then((answer) => answer.ok ? answer.json() : null).then((legend) => {
      if (legend && shown === address) paint(legend);
    }).catch(() => {});
  };
  const told = (value) => Number(value.toPrecision(5)) + (names.get(value) ? " " + names.get(value) : "");
  const ask = (position) => {
    const layer = uppermost();
    if (!layer) return;
    const number = ++asked;
    const point = position.wrap();
    const where = point.lat.toFixed(5) + ", " + point.lng.toFixed(5);
    fetch(split(layer).base + "/value?longitude=" + point.lng + "&latitude=" + point.lat)
      .then((answer) => answer.ok ? answer.json() : null)
      .then((found) => {
        if (number !== asked || !found) return;
        const values = found.values.map((v) => (v === null ? "no data" : told(v)));
        box.value.textContent = (found.values.every((v) => v === null) ? "no data" : values.join("  ")) + "   at " + where;
      }).catch(() => {});
  };
  map.on("mousemove", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => ask(event.latlng), 60);
  });
  map.on("layeradd layerremove", () => setTimeout(refresh, 0));
  refresh();
})(MAP);
