// The page of the example service: lists, forms and live updates, without a framework. Data from the service is shown
// by `textContent` only. Each write reads the record first, so that its entity tag is the current one.

const byId = (id) => document.getElementById(id);

/** Creates an element with attributes, a text and children. */
function create(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Shows a message in the page's only live region, which screen readers announce. */
const announce = (message) => byId("status").replaceChildren(message);

const numbers = new Intl.NumberFormat();
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const countText = (count, noun) => `${numbers.format(count)} ${noun}${Number(count) === 1 ? "" : "s"}`;

function dateText(value) {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : dates.format(date);
}

// Requests

/** A response that is not a success, or the lack of a response (status 0). */
class Problem extends Error {
  constructor(status, content) {
    super([content?.title, content?.detail].filter(Boolean).join(": ") || `The service answered with status ${status}`);
    this.status = status;
    this.errors = content?.errors ?? (content?.pointer ? [content] : []);
  }
}

/** Sends a request and returns the record or list, its entity tag and the links; asks for a token if one is needed. */
async function send(method, path, { body, ifMatch, key } = {}) {
  const headers = { Accept: "application/json" };
  if (body) headers["Content-Type"] = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  if (ifMatch) headers["If-Match"] = ifMatch;
  if (key) headers["Idempotency-Key"] = key;
  let response, text;
  try {
    response = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store" });
    text = await response.text();
  } catch {
    throw new Problem(0, { title: "The service did not answer", detail: "Check the connection, then try again." });
  }
  if (response.status === 401 && path !== "/session") {
    await signIn();
    return send(method, path, { body, ifMatch, key });
  }
  const isJSON = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");
  const content = isJSON && text ? JSON.parse(text) : undefined;
  if (!response.ok) throw new Problem(response.status, content);
  return {
    content, etag: response.headers.get("ETag"), total: response.headers.get("Total-Count"),
    links: linksOf(response.headers.get("Link") ?? ""),
  };
}

/** Returns the targets of a Link header by their relation. */
function linksOf(header) {
  const found = [...header.matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)];
  return Object.fromEntries(found.map(([, target, relation]) => [relation, target]));
}

/** Runs work that a button started, and announces its failure. */
const attempt = (work) => Promise.resolve().then(work).catch((problem) => announce(problem.message));

function actionButton(label, action, attributes = {}) {
  const button = create("button", { type: "button", ...attributes }, label);
  button.addEventListener("click", () => attempt(action));
  return button;
}

// Lists

/** Shows records as children of a list. Rows of records that are still present are reused, and so retain the focus. */
function show(list, records, keyOf, make, fill) {
  const before = new Map([...list.children].map((row) => [row.dataset.key, row]));
  const rows = records.map((record) => {
    const key = String(keyOf(record));
    const row = before.get(key) ?? make(record);
    before.delete(key);
    row.dataset.key = key;
    fill(row, record);
    return row;
  });
  for (const row of before.values()) {
    if (row.contains(document.activeElement)) list.closest("section").querySelector("h2").focus();
    row.remove();
  }
  rows.forEach((row, index) => {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
}

/** A list with one page of records at a time, and buttons that follow the links of the response. */
class Pages {
  constructor(list, nav, first, make, fill) {
    Object.assign(this, { list, nav, first, make, fill, path: first, turn: 0 });
    for (const [relation, label] of [["prev", "Previous"], ["next", "Next"]]) {
      const follow = () => this.links[relation] && this.load(this.links[relation]);
      nav.append(actionButton(label, follow, { "data-relation": relation }));
    }
  }

  /** Reads and shows a page. If a later call began in the meantime, its page is shown instead. */
  async load(path = this.path) {
    const turn = ++this.turn;
    const response = await send("GET", path);
    if (turn !== this.turn) return undefined;
    if (response.content.length === 0 && path !== this.first) return this.load(this.first);
    this.path = path;
    this.links = response.links;
    show(this.list, response.content, (record) => record.id, this.make, this.fill);
    // With the attribute `disabled` a button would lose the focus.
    for (const button of this.nav.children) button.ariaDisabled = String(!this.links[button.dataset.relation]);
    this.nav.hidden = !this.links.prev && !this.links.next;
    return response;
  }
}

/** Creates the texts and buttons of a record's row. */
function recordParts(kind, id) {
  const texts = create("div", { class: "record" }, create("strong"), create("span", { class: "muted" }));
  return [texts, create(
    "div", { class: "row-actions" }, actionButton("Edit", () => edit(kind, id), { "data-label": "Edit" }),
    actionButton("Delete", () => confirmDeletion(kind, id), { "data-label": "Delete" }))];
}

function fillRecord(row, name, details) {
  row.querySelector("strong").textContent = name;
  row.querySelector(".record .muted").textContent = details;
  for (const button of row.querySelectorAll("[data-label]")) {
    button.setAttribute("aria-label", `${button.dataset.label} ${name}`);
  }
}

// Colors, bosses and employees

const kinds = {
  Color: {
    path: "/colors", editor: "color-editor", noun: "color", load: loadColors,
    name: (color) => color.name ?? color.hex,
  },
  Employee: {
    path: "/employees", editor: "employee-editor", noun: "employee", load: loadEmployees,
    name: (employee) => `${employee.firstName} ${employee.lastName}`,
  },
};

const colors = new Pages(
  byId("colors"), byId("colors-pages"), "/colors?sort=-dateCreated&limit=20&count=true",
  (color) => create("li", {}, create("div", { class: "swatch" }), ...recordParts(kinds.Color, color.id)),
  (row, color) => {
    // The content security policy permits a style that a script sets as a property.
    row.querySelector(".swatch").style.setProperty("background-color", color.hex);
    const details = [color.name === null ? null : color.hex, dateText(color.dateCreated)];
    fillRecord(row, kinds.Color.name(color), details.filter(Boolean).join(", "));
  });

async function loadColors() {
  const response = await colors.load();
  if (response?.total) byId("colors-summary").textContent = countText(response.total, "color");
}

/** The names of all bosses by identifier. */
let bosses = new Map();

async function loadBosses() {
  const found = new Map();
  for (let path = "/bosses?limit=200"; path;) {
    const { content, links } = await send("GET", path);
    for (const boss of content) found.set(boss.id, `${boss.firstName} ${boss.lastName}`);
    path = links.next;
  }
  bosses = found;
}

function bossName(id) {
  return id === null ? "No boss" : bosses.get(id) ?? `Boss ${id}`;
}

function makeGroup({ boss }) {
  const summary = create(
    "summary", {}, create("span", { class: "name" }), create("span", { class: "count" }),
    create("span", { class: "muted" }));
  const [list, nav] = [create("ul"), create("nav", { "aria-label": `Pages of employees, ${bossName(boss)}` })];
  const group = create("details", {}, summary, list, nav);
  const condition = encodeURIComponent(boss === null ? "boss is null" : `boss = ${boss}`);
  group.pages = new Pages(
    list, nav, `/employees?sort=lastName&limit=20&where=${condition}`,
    (employee) => create("li", {}, ...recordParts(kinds.Employee, employee.id)),
    (row, employee) => fillRecord(
      row, kinds.Employee.name(employee),
      `Salary ${numbers.format(employee.salary)}, hired ${dateText(employee.dateHired)}`));
  group.addEventListener("toggle", () => {
    if (group.open) attempt(() => group.pages.load());
  });
  return group;
}

function fillGroup(group, { boss, count, average }) {
  const [name, size, salary] = group.querySelectorAll("summary span");
  name.textContent = bossName(boss);
  size.textContent = countText(count, "employee");
  salary.textContent = `average salary ${numbers.format(Math.round(average))}`;
}

async function loadEmployees() {
  const { content } = await send("GET", "/employees/groups?by=boss&aggregates=count,avg(salary)&limit=200");
  const groups = content.map((row) => ({ boss: row.boss, count: row.count, average: row["avg(salary)"] }));
  if (groups.some(({ boss }) => boss !== null && !bosses.has(boss))) await loadBosses();
  groups.sort((a, b) => (a.boss === null) - (b.boss === null) || bossName(a.boss).localeCompare(bossName(b.boss)));
  show(byId("groups"), groups, ({ boss }) => boss, makeGroup, fillGroup);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  byId("employees-summary").textContent = countText(total, "employee");
  const open = [...byId("groups").children].filter((group) => group.open);
  await Promise.all(open.map((group) => group.pages.load()));
}

function loadAll() {
  hasLoaded = true;
  const explain = (summary) => (problem) => byId(summary).replaceChildren(problem.message);
  return Promise.all([
    loadColors().catch(explain("colors-summary")),
    loadBosses().then(loadEmployees).catch(explain("employees-summary")),
  ]);
}

// Forms

/** The types of inputs: `read` converts a text to a value of JSON, which the service validates; `show` formats it. */
const types = {
  text: { read: (text) => text, show: String },
  optional: { read: (text) => text || null, show: (value) => value ?? "No value" },
  integer: { read: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text || null), show: String },
  day: { read: (text) => (text ? `${text}T00:00:00Z` : null), show: dateText },
  reference: { read: (text) => (text ? Number(text) : null), show: bossName },
};

const inputsOf = (form) => [...form.elements].filter((input) => input.dataset.type);

function fillForm(form, record) {
  for (const input of inputsOf(form)) {
    const value = record[input.name] ?? "";
    input.value = input.dataset.type === "day" ? String(value).slice(0, 10) : String(value);
    input.dataset.filled = input.value;
  }
}

/** Returns the values of a form. A value that the user did not change is exactly that of the record. */
function readForm(form, record) {
  return Object.fromEntries(inputsOf(form).map((input) => {
    const isUnchanged = input.name in record && input.value === input.dataset.filled;
    return [input.name, isUnchanged ? record[input.name] : types[input.dataset.type].read(input.value.trim())];
  }));
}

function clearProblem(form) {
  form.querySelector(".problem").hidden = true;
  for (const input of inputsOf(form)) {
    input.removeAttribute("aria-invalid");
    byId(`${input.id}-error`)?.replaceChildren();
  }
}

/** Shows a problem's errors next to the inputs that their pointers name, and the others above the form. */
function showProblem(form, problem) {
  const inputs = new Map(inputsOf(form).map((input) => [input.name, input]));
  const others = [];
  let first;
  for (const { pointer, detail } of problem.errors ?? []) {
    const input = inputs.get(pointer?.split("/")[1]);
    if (input) {
      byId(`${input.id}-error`).append(create("span", {}, detail), " ");
      input.setAttribute("aria-invalid", "true");
      first ??= input;
    } else {
      others.push(detail);
    }
  }
  const text = form.querySelector(".problem");
  text.textContent = [first ? "Correct the marked values" : problem.message, ...others].join("; ");
  text.hidden = false;
  (first ?? text).focus();
}

/** Shows a dialog until it is closed, and returns the value that `close` received. */
async function showModal(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  return dialog.returnValue;
}

/** Shows a dialog with a form. The work runs when the form is submitted; the dialog closes if its result is true. */
function open(dialog, work) {
  const form = dialog.querySelector("form");
  clearProblem(form);
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    clearProblem(form);
    try {
      if (await work(form)) dialog.close("done");
    } catch (problem) {
      showProblem(form, problem);
    } finally {
      form.ariaBusy = "false";
    }
  };
  return showModal(dialog);
}

/** Opens the form for a record, or for a new one. */
async function edit(kind, id) {
  const [dialog, form] = [byId(kind.editor), byId(kind.editor).querySelector("form")];
  const original = id === undefined ? { content: {} } : await send("GET", `${kind.path}/${id}`);
  if (kind === kinds.Employee) {
    const options = [...bosses].map(([boss, name]) => create("option", { value: boss }, name));
    form.elements.boss.replaceChildren(create("option", { value: "" }, "No boss"), ...options);
  }
  fillForm(form, original.content);
  preview();
  dialog.querySelector("h2").textContent = id === undefined ? `New ${kind.noun}` : `Edit ${kind.noun}`;
  const keys = new Map();
  await open(dialog, () => (id === undefined ? add(kind, form, keys) : save(kind, form, original)));
}

/** Creates a record. The same values have the same key, so that a repeated request does not create a second record. */
async function add(kind, form, keys) {
  const body = readForm(form, {});
  const text = JSON.stringify(body);
  if (!keys.has(text)) keys.set(text, crypto.getRandomValues(new Uint32Array(4)).join("-"));
  return finish(kind, (await send("POST", kind.path, { body, key: keys.get(text) })).content, "Created");
}

/** Saves the changed values. After a conflict the user chooses whose values to store. */
async function save(kind, form, original) {
  const path = `${kind.path}/${original.content.id}`;
  const values = readForm(form, original.content);
  for (let base = original; ;) {
    const body = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== base.content[name]));
    if (Object.keys(body).length === 0) return true;
    try {
      return finish(kind, (await send("PATCH", path, { body, ifMatch: base.etag })).content, "Saved");
    } catch (problem) {
      if (problem.status !== 412) throw problem;
    }
    base = await send("GET", path);
    const choice = await chooseValues(form, values, base.content);
    if (choice === "theirs") announce("The other values are stored; yours are discarded.");
    if (choice !== "mine") return choice === "theirs";
  }
}

function finish(kind, record, verb) {
  lastWrite = Date.now();
  announce(`${verb} ${kind.name(record)}.`);
  attempt(kind.load);
  return true;
}

/** Shows the values that differ. Returns `mine` or `theirs`, or an empty text if the user wants to edit again. */
async function chooseValues(form, mine, theirs) {
  const different = inputsOf(form).filter(({ name }) => mine[name] !== theirs[name]);
  if (different.length === 0) return "theirs";
  byId("differences").replaceChildren(...different.map((input) => {
    const cells = [mine, theirs].map((values) => create("td", {}, types[input.dataset.type].show(values[input.name])));
    return create("tr", {}, create("th", { scope: "row" }, input.labels[0].textContent), ...cells);
  }));
  const answer = showModal(byId("conflict"));
  byId("conflict-title").focus();
  return answer;
}

/** Asks before a record is deleted. If it was changed in the meantime, the user sees it again. */
async function confirmDeletion(kind, id) {
  const path = `${kind.path}/${id}`;
  let current;
  const describe = (found) => {
    current = found;
    byId("deletion-record").textContent = kind.name(found.content);
  };
  describe(await send("GET", path));
  byId("deletion-title").textContent = `Delete this ${kind.noun}?`;
  open(byId("deletion"), async () => {
    try {
      await send("DELETE", path, { ifMatch: current.etag });
    } catch (problem) {
      if (problem.status === 412) describe(await send("GET", path));
      if (problem.status !== 404) throw problem;
    }
    return finish(kind, current.content, "Deleted");
  });
}

function preview() {
  byId("color-preview").style.setProperty("background-color", "transparent");
  byId("color-preview").style.setProperty("background-color", byId("color-hex").value.trim());
}

// Session

let signingIn;

/** Shows the form for the token, once for all requests that wait for it. */
function signIn() {
  signingIn ??= openSignIn().finally(() => { signingIn = undefined; });
  return signingIn;
}

async function openSignIn() {
  const token = byId("token");
  const answer = await open(byId("sign-in"), () => send("POST", "/session", { body: { token: token.value } }));
  token.value = "";
  if (answer !== "done") throw new Problem(401, { title: "Sign in to read the data" });
  localStorage.setItem("signed-in", "yes");
  byId("sign-out").hidden = false;
  connect();
}

async function signOut() {
  await send("DELETE", "/session");
  localStorage.removeItem("signed-in");
  location.reload();
}

// Live updates

let events, retry, pending;
let hasLoaded = false;
const changedKinds = new Set();
/** The time of the last change that this page made, and announced already. */
let lastWrite = 0;

function showConnection(state, text) {
  byId("connection").dataset.state = state;
  byId("connection").textContent = text;
}

/** Subscribes to changes and then reads the lists, so that no change is missed; without events it reads them once. */
function connect() {
  disconnect();
  showConnection("connecting", "Connecting");
  const source = new EventSource("/events?entity=Color,Employee");
  events = source;
  source.onopen = () => {
    showConnection("live", "Live updates");
    loadAll();
  };
  source.onerror = () => {
    const isClosed = source.readyState === EventSource.CLOSED;
    showConnection(isClosed ? "off" : "connecting", isClosed ? "No live updates" : "Reconnecting");
    if (isClosed) retry = setTimeout(connect, 10_000);
    if (!hasLoaded) loadAll();
  };
  source.addEventListener("change", (event) => receive(JSON.parse(event.data)));
  source.addEventListener("resync", loadAll);
}

function disconnect() {
  clearTimeout(retry);
  events?.close();
}

/** Reads the lists of a changed entity again, once for all changes of a short time. */
function receive({ entity }) {
  if (kinds[entity]) changedKinds.add(kinds[entity]);
  pending ??= setTimeout(() => {
    for (const kind of changedKinds) {
      attempt(kind.load);
      if (Date.now() - lastWrite > 2000) announce(`The list of ${kind.noun}s was updated.`);
    }
    changedKinds.clear();
    pending = undefined;
  }, 150);
}

// Start

for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}
const actions = {
  "new-color": () => edit(kinds.Color),
  "new-employee": () => edit(kinds.Employee),
  "keep-mine": () => byId("conflict").close("mine"),
  "keep-theirs": () => byId("conflict").close("theirs"),
  "sign-out": signOut,
  reload: async () => {
    if (events.readyState === EventSource.CLOSED) connect();
    await loadAll();
    announce("The lists were read again.");
  },
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", () => attempt(action));
byId("color-hex").addEventListener("input", preview);
byId("sign-out").hidden = localStorage.getItem("signed-in") === null;
// Browsers open at most six connections to a host, so a hidden page does not retain one.
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
connect();
