// A zone's label stands at the first of its places that is seen: within the map, below no control and below no
// other label. Where none is free it stands where least of it is covered.
(function (map) {
  const OVER = ".leaflet-control";
  const shared = (one, other) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return Math.max(wide, 0) * Math.max(high, 0);
  };
  const labels = () => {
    const found = [];
    map.eachLayer((layer) => {
      const label = layer.options.places && layer.getTooltip && layer.getTooltip();
      if (label && label.getElement()) found.push([layer, label.getElement()]);
    });
    return found;
  };
  const place = () => {
    const seen = map.getContainer().getBoundingClientRect();
    const taken = [...document.querySelectorAll(OVER)].map((box) => box.getBoundingClientRect())
      .filter((box) => box.width && box.height);
    labels().forEach(([layer, label]) => {
      const [wide, high] = [label.offsetWidth / 2 + 2, label.offsetHeight / 2 + 2];
      const boxAt = (position) => {
        const {x, y} = map.latLngToContainerPoint(position);
        return {left: seen.left + x - wide, right: seen.left + x + wide, top: seen.top + y - high,
          bottom: seen.top + y + high};
      };
      const hidden = (position) => {
        const box = boxAt(position);
        return taken.reduce((sum, other) => sum + shared(box, other), shared(box, box) - shared(box, seen));
      };
      const {places} = layer.options;
      const least = Math.min(...places.map(hidden));
      const chosen = places.find((position) => hidden(position) <= least);
      taken.push(boxAt(chosen));
      if (!layer.getLatLng().equals(chosen)) layer.setLatLng(chosen);
    });
  };
  let timer = null;
  const later = () => { clearTimeout(timer); timer = setTimeout(place, 30); };
  map.on("moveend zoomend resize layeradd", later);
  // Legends come after the layers, and the style of a label after its words.
  const corner = map.getContainer().querySelector(".leaflet-bottom.leaflet-left");
  new ResizeObserver(later).observe(corner);
  document.addEventListener("load", later, true);
})(MAP);
