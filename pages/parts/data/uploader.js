// Sends files one after the other as they are, so that neither the page nor the server holds one in memory.
export default function (component) {
  const {parentElement, data, setTriggerValue} = component;
  const input = parentElement.querySelector("input");
  const list = parentElement.querySelector("ul");
  const line = (text) => {
    const item = document.createElement("li");
    item.textContent = text;
    list.appendChild(item);
    return item;
  };
  const send = (file) => new Promise((done) => {
    const item = line(file.name);
    const request = new XMLHttpRequest();
    // Relative to the page, which may stand behind the prefix of a proxy.
    request.open("PUT", "upload/" + data.token + "/" + encodeURIComponent(file.name));
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) item.textContent = file.name + "  " + Math.round(100 * event.loaded / event.total) + " %";
    };
    request.onload = () => {
      const answer = request.status === 404 ? {error: "The page is out of date: load it again."} : JSON.parse(request.responseText);
      item.textContent = file.name + (answer.error ? "  —  " + answer.error : "  ✓");
      done({name: file.name, error: answer.error || ""});
    };
    request.onerror = () => {
      item.textContent = file.name + "  —  the connection broke";
      done({name: file.name, error: file.name + ": the connection broke."});
    };
    request.send(file);
  });
  input.onchange = async () => {
    const files = Array.from(input.files);
    list.replaceChildren();
    input.disabled = true;
    const sent = [];
    for (const file of files) sent.push(await send(file));
    input.disabled = false;
    input.value = "";
    setTriggerValue("sent", sent);
  };
}
