// Signs that something happened: changes of the document, of values and of the scroll position.

let signs = 0;
let marked = 0;
// Whether one of the signs since the mark was a large change.
let large = false;
let ownScrollUntil = 0;
// Whoever waits for calm is told of every sign.
const waiting = new Set();

function sign() {
  signs++;
  for (const wake of waiting) wake();
}

// Whether a change may move or show elements, now or by a transition; a change of text, or of an ARIA state, is small.
function isLarge(records) {
  const isElement = (node) => node.nodeType === 1;
  return records.some((record) => {
    if (record.type === 'attributes') return !record.attributeName.startsWith('aria-');
    return record.type === 'childList' && (Array.from(record.addedNodes).some(isElement) || Array.from(record.removedNodes).some(isElement));
  });
}

function take(records) {
  if (!records.length) return;
  large ||= isLarge(records);
  sign();
}

const observer = new MutationObserver(take);
const watched = new WeakSet();
function watch(root) {
  if (watched.has(root)) return;
  watched.add(root);
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}
watch(document);
for (const type of ['input', 'change', 'toggle', 'hashchange', 'popstate']) addEventListener(type, sign, true);
// A scroll may glide on: the next frames tell.
addEventListener('scroll', () => {
  if (performance.now() <= ownScrollUntil) return;
  large = true;
  sign();
}, true);
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
  large = false;
  dragBegan = false;
}

// After a small change nothing is to be expected but what other tasks do.
const SMALL_QUIET = 4;
// Transitions are waited for when they end soon; a turning wheel does not.
const LONGEST_ANIMATION = 500;

function animationsEnd() {
  const soon = document.getAnimations().filter((animation) => {
    const end = animation.effect?.getComputedTiming().endTime;
    return animation.playState === 'running' && Number.isFinite(end) && end - (animation.currentTime ?? 0) <= LONGEST_ANIMATION;
  });
  if (!soon.length) return null;
  const limit = new Promise((done) => setTimeout(done, LONGEST_ANIMATION));
  return Promise.race([limit, Promise.allSettled(soon.map((animation) => animation.finished))]);
}

// Calm is a time without a sign. After a large change it is `quiet`, or two frames: what handlers left to the frame after
// the next, as transitions are begun, was asked for before us and runs before us; then transitions that end soon are
// waited for. Without any sign it ends after `first`.
function settle(quiet, first) {
  return new Promise((done) => {
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
      if (!large) {
        timer = setTimeout(() => afterTasks(over), Math.min(quiet, SMALL_QUIET));
        return;
      }
      let began = false;
      const still = () => {
        if (mine !== round || began) return;
        began = true;
        const moving = animationsEnd();
        if (moving) moving.then(over); else over();
      };
      timer = setTimeout(still, quiet);
      requestAnimationFrame(() => requestAnimationFrame(() => afterTasks(still)));
    };
    waiting.add(calm);
    take(observer.takeRecords());
    if (signs !== marked) calm();
    else timer = setTimeout(() => end(signs !== marked), Math.max(0, first));
  });
}
