// Requests to the server, which is the one that served this page.

/** What the server says about a request that it cannot answer: a sentence. */
export class Sentence extends Error {
  constructor(message, about = {}, status = 0) {
    super(message);
    this.about = about;
    this.status = status;
  }
}

const GONE = "kbai does not answer. Is 'kbai serve' still running?";

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Sentence(GONE);
  }
  if (response.ok) return response;
  let about = {};
  try {
    about = (await response.json()).error;
  } catch {
    // Not JSON: the status alone has to do.
  }
  throw new Sentence(about.message || `kbai answers with status ${response.status}.`, about, response.status);
}

export async function get(path) {
  return (await send(path, { method: "GET" })).json();
}

export async function getText(path) {
  return (await send(path, { method: "GET" })).text();
}

function posted(body, signal) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
}

export async function post(path, body) {
  return (await send(path, posted(body))).json();
}

/** Call onLine with every object of an answer that comes line by line. */
export async function stream(path, body, signal, onLine) {
  const response = await send(path, posted(body, signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) onLine(JSON.parse(line));
  }
}
