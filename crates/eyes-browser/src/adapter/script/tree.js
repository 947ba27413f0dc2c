// Elements, their numbers, and the tree as it is shown: through shadow roots and slots.

// Numbers are never given twice in a document; what was removed is forgotten by the garbage collector alone.
const numbers = new WeakMap();
const elements = new Map();
const closedRoots = new WeakMap();
let lastNumber = 0;

function numberOf(el) {
  let n = numbers.get(el);
  if (n === undefined) {
    n = ++lastNumber;
    numbers.set(el, n);
    elements.set(n, new WeakRef(el));
    if (n % 20000 === 0) {
      for (const [k, ref] of elements) if (ref.deref() === undefined) elements.delete(k);
    }
  }
  return n;
}

function elementOf(n) {
  const el = elements.get(n)?.deref();
  return el?.isConnected ? el : undefined;
}

const rootOf = (el) => el.shadowRoot ?? closedRoots.get(el) ?? null;

function shownChildren(el) {
  const root = rootOf(el);
  if (root) return root.childNodes;
  if (el.localName === 'slot') {
    const assigned = el.assignedNodes();
    if (assigned.length) return assigned;
  }
  return el.childNodes;
}

const parentOf = (node) => node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentElement;

function holds(outer, inner) {
  for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
}

function nearest(el, test) {
  for (let at = el; at; at = parentOf(at)) if (test(at)) return at;
  return null;
}

function hitAt(x, y) {
  let hit = document.elementFromPoint(x, y);
  for (let depth = 0; hit && depth < 50; depth++) {
    const root = rootOf(hit);
    const inner = root?.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

function activeElement() {
  let at = document.activeElement;
  while (at) {
    const inner = rootOf(at)?.activeElement;
    if (!inner) break;
    at = inner;
  }
  return at;
}

const collapse = (text) => text.replace(/\s+/g, ' ').trim();
// By characters, so that no surrogate pair is split.
const cut = (text, max) => text.length <= max ? text : Array.from(text.slice(0, max * 2)).slice(0, max).join('');

function intersect(a, b) {
  const x = Math.max(a.x, b.x), y = Math.max(a.y, b.y);
  const w = Math.min(a.x + a.w, b.x + b.w) - x, h = Math.min(a.y + a.h, b.y + b.h) - y;
  return w > 0 && h > 0 ? { x, y, w, h } : null;
}
const box = (r) => ({ x: r.left, y: r.top, w: r.width, h: r.height });
const viewport = () => ({ x: 0, y: 0, w: innerWidth, h: innerHeight });

// Fields that hold a secret: remembered even when a page turns a password field into a plain one.
const secretFields = new WeakSet();
function isSecret(el) {
  if (el.localName === 'input' && el.type === 'password') {
    if (el.value) secretFields.add(el);
    return true;
  }
  return secretFields.has(el) || (el.isContentEditable && !!nearest(el, (at) => secretFields.has(at)));
}
