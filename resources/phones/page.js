// Shows what the table's server sends. Everything that comes from it becomes a text node, never markup.
"use strict";

const PAGES = ["join", "table", "ended"];
const REFUSED = ["refused-403", "refused-410", "refused-503", "refused-removed"];
const SILENCE = 40000; // milliseconds; the server is heard every 15 s
const PAUSE = 3000;

let source = null;
let heardAt = 0;

const byId = (id) => document.getElementById(id);

function show(page) {
  for (const id of PAGES) byId(id).hidden = id !== page;
  if (page !== "table") delete document.body.dataset.mode;
  byId("lost").hidden = true;
}

function setText(id, text) {
  byId(id).textContent = text;
  byId(id).hidden = !text;
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

// Joining --------------------------------------------------------------------------------------------------------

function askCode(refused = "") {
  stopListening();
  show("join");
  for (const id of REFUSED) byId(id).hidden = id !== refused;
}

async function join(code) {
  try {
    const answer = await fetch("/join", { method: "POST", body: code });
    if (answer.ok) listen();
    else askCode(`refused-${answer.status}`);
  } catch {
    byId("lost").hidden = false;
    askCode();
    byId("code").value = code;
  }
}

// Listening ------------------------------------------------------------------------------------------------------

function stopListening() {
  if (source) source.close();
  source = null;
}

function listen() {
  stopListening();
  heardAt = Date.now();
  source = new EventSource("/events");
  source.onmessage = (event) => {
    hear();
    show("table");
    render(JSON.parse(event.data));
  };
  source.addEventListener("beat", hear);
  source.addEventListener("ended", () => {
    stopListening();
    show("ended");
  });
  source.addEventListener("removed", () => askCode("refused-removed"));
  source.onerror = () => {
    byId("lost").hidden = false;
    if (source && source.readyState === EventSource.CLOSED) findOutWhy();
  };
}

function hear() {
  heardAt = Date.now();
  byId("lost").hidden = true;
}

// The stream was refused: where the server answers at all, this phone has not joined.
async function findOutWhy() {
  stopListening();
  try {
    await fetch("/", { cache: "no-store" });
    askCode();
  } catch {
    setTimeout(listen, PAUSE);
  }
}

// A phone that slept may hold a connection that is none any more.
function wake() {
  if (source && !document.hidden) listen();
}

function lookAgain() {
  if (Date.now() - heardAt > SILENCE) wake();
}

// Showing --------------------------------------------------------------------------------------------------------

function render(message) {
  document.body.dataset.mode = message.mode;
  setText("title", message.title);
  setText("facts", message.facts);
  byId("head").hidden = !message.title && !message.facts;
  byId("order").replaceChildren(...message.rows.map(row));
  byId("order").hidden = !message.rows.length;
  byId("countdowns").replaceChildren(...message.countdowns.map(countdown));
  byId("countdowns").hidden = !message.countdowns.length;
  setText("heading", message.heading);
  setText("text", message.text);
  setText("signed", message.signed);
  const picture = byId("picture");
  picture.hidden = !message.picture;
  if (message.picture) picture.src = message.picture;
  else picture.removeAttribute("src");
  byId("sent").hidden = !(message.heading || message.text || message.signed || message.picture);
  setText("empty", message.empty);
  const acting = document.querySelector("[aria-current]");
  if (acting) acting.scrollIntoView({ block: "nearest" });
}

function row(one) {
  const line = element("li", one.side);
  if (one.acts) line.setAttribute("aria-current", "true");
  const side = element("span", "side");
  side.setAttribute("role", "img");
  side.setAttribute("aria-label", one.side_name);
  const name = element("span", "name", one.name);
  line.append(side, name);
  if (one.state) line.append(element("span", "state", one.state));
  if (one.health) line.append(element("span", `health ${one.band}`, one.health));
  if (one.conditions.length) line.append(element("span", "conditions", one.conditions.join(", ")));
  return line;
}

function countdown(one) {
  const line = element("li", "");
  line.append(element("span", "name", one.name), element("span", "dice", one.dice));
  const faces = element("span", "faces");
  faces.append(...one.faces.map((die) => element(die.removed ? "s" : "span", "die", die.face)));
  if (one.faces.length) line.append(faces);
  return line;
}

// ----------------------------------------------------------------------------------------------------------------

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  join(byId("code").value);
});
document.addEventListener("visibilitychange", wake);
window.addEventListener("pageshow", (event) => event.persisted && wake());
setInterval(lookAgain, PAUSE);

const code = location.hash.slice(1);
if (code) {
  history.replaceState(null, "", "/");
  join(code);
} else {
  listen();
}
