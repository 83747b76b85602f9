// A zone's label stands at the first of its places that is seen: within the map, below no control and below no
// other label. Where none is free it stands at the first.
(function (map) {
  const OVER = ".leaflet-control";
  const meets = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
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
      const isFree = (position) => {
        const box = boxAt(position);
        return box.left >= seen.left && box.right <= seen.right && box.top >= seen.top
          && box.bottom <= seen.bottom && !taken.some((other) => meets(box, other));
      };
      const {places} = layer.options;
      const chosen = places.find(isFree) || places[0];
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
