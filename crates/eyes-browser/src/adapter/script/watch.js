// Signs that something happened: changes of the document, of values and of the scroll position.

let signs = 0;
let marked = 0;
let lastSign = 0;
let ownScrollUntil = 0;
// Whoever waits for calm is told of every sign.
const waiting = new Set();

function sign() {
  signs++;
  lastSign = performance.now();
  for (const wake of waiting) wake();
}

const observer = new MutationObserver(sign);
const watched = new WeakSet();
function watch(root) {
  if (watched.has(root)) return;
  watched.add(root);
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}
watch(document);
for (const type of ['input', 'change', 'toggle', 'hashchange', 'popstate']) addEventListener(type, sign, true);
addEventListener('scroll', () => { if (performance.now() > ownScrollUntil) sign(); }, true);
// The focus of a text field is what a click on it is for; that of a button tells nothing.
addEventListener('focusin', (event) => { if (event.target instanceof Element && isEditable(event.target)) sign(); }, true);

// A drag of the page's own begins with an event that nobody prevents.
let dragBegan = false;
addEventListener('dragstart', (event) => { setTimeout(() => { dragBegan = !event.defaultPrevented; }, 0); }, true);

function afterTasks(then) {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { channel.port1.close(); then(); };
  channel.port2.postMessage(0);
}

function mark() {
  observer.takeRecords();
  marked = signs;
  dragBegan = false;
}

// Calm is the time `quiet` without a sign, or a whole frame without one: what handlers left to the next frame was asked
// for before us and runs before us, and what they left to a task of its own runs before the task after that frame.
// Without any sign it ends after `first`.
function settle(quiet, first) {
  return new Promise((done) => {
    const began = performance.now();
    let round = 0;
    let timer = 0;
    const end = (seen) => {
      clearTimeout(timer);
      waiting.delete(calm);
      round++;
      done(JSON.stringify({ seen }));
    };
    const calm = () => {
      const mine = ++round;
      clearTimeout(timer);
      const over = () => { if (mine === round) end(true); };
      timer = setTimeout(over, quiet);
      requestAnimationFrame(() => afterTasks(over));
    };
    waiting.add(calm);
    if (observer.takeRecords().length) sign();
    if (signs !== marked) calm();
    else timer = setTimeout(() => end(signs !== marked), Math.max(0, first - (performance.now() - began)));
  });
}
