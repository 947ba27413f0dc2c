// What is checked, and done, right before and after input.

const refuse = (no, more) => ({ no, ...more });

// Finds an element that must be what it was.
function expect(n, fingerprint) {
  const el = elementOf(n);
  if (!el) return refuse('gone');
  if (fingerprint) {
    const now = fingerprintOf(el);
    if (['tag', 'role', 'name', 'kind'].some((k) => now[k] !== (fingerprint[k] ?? ''))) {
      return refuse('changed', { now: `${now.role} "${now.name}"` });
    }
  }
  return el;
}

// The part of the view that what is in `parent`, and not positioned, is shown in.
function contentClip(parent, view, known) {
  if (!parent || parent === document.body || parent === document.documentElement) return view;
  let clip = known?.get(parent);
  if (clip === undefined) {
    const style = getComputedStyle(parent);
    clip = clipOf(parent, view, known, style);
    if (clip && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) clip = intersect(clip, box(parent.getBoundingClientRect()));
    known?.set(parent, clip);
  }
  return clip;
}

// The part of the view that an element is shown in: what is positioned escapes from ancestors that are not.
function clipOf(el, view, known, style) {
  const position = (style ?? getComputedStyle(el)).position;
  if (position === 'fixed') return view;
  let parent = parentOf(el);
  if (position === 'absolute') {
    parent = nearest(parent, (at) => {
      const s = getComputedStyle(at);
      return s.position !== 'static' || s.transform !== 'none';
    });
  }
  return contentClip(parent, view, known);
}

function isShown(el) {
  if (el.localName === 'option' || el.localName === 'area') return true;
  const field = el.localName === 'input';
  return el.checkVisibility({ visibilityProperty: !field, opacityProperty: !field });
}

function reveal(el) {
  ownScrollUntil = performance.now() + 100;
  el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
}

// Where to hit an element, or why it cannot be hit.
function aimAt(el, options) {
  if (options.enabled && isDisabled(el)) return refuse('disabled');
  if (!isShown(el)) return refuse('hidden');
  let covered = null;
  let scrolled = false;
  for (let attempt = 0; attempt < 2; attempt++) {
    const { r, by } = boxesOf(el);
    if (r.w <= 0 || r.h <= 0) return refuse('hidden');
    const clip = clipOf(by, viewport());
    const visible = clip && intersect(r, clip);
    if (visible) {
      for (const [x, y] of pointsOf(by, visible)) {
        const hit = hitAt(x, y);
        if (belongs(el, hit) || hit === by || by !== el && holds(by, hit)) return { x, y, scrolled };
        covered ??= hit;
      }
    }
    if (attempt === 0) {
      reveal(by);
      scrolled = true;
    }
  }
  return covered ? refuse('covered', { by: describe(covered) }) : refuse('hidden');
}

function aim(n, fingerprint, options) {
  const el = expect(n, fingerprint);
  return JSON.stringify(el instanceof Element ? aimAt(el, options) : el);
}

function scrollTo(n, fingerprint) {
  const el = expect(n, fingerprint);
  if (!(el instanceof Element)) return JSON.stringify(el);
  if (!isShown(el)) return JSON.stringify(refuse('hidden'));
  el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const b = box(el.getBoundingClientRect());
  return JSON.stringify({ x: b.x, y: b.y });
}

// Where a point of a frame is in this document; the frame has to be what is hit there.
function place(n, x, y, check) {
  const el = elementOf(n);
  if (!el) return JSON.stringify(refuse('gone'));
  let scrolled = false;
  for (let attempt = 0; attempt < 2; attempt++) {
    const b = contentBox(el);
    const at = { x: b.x + x, y: b.y + y };
    if (!check) return JSON.stringify({ ...at, scrolled });
    const clip = clipOf(el, viewport());
    const inside = clip && at.x >= clip.x && at.y >= clip.y && at.x < clip.x + clip.w && at.y < clip.y + clip.h;
    const hit = inside ? hitAt(at.x, at.y) : null;
    if (hit === el) return JSON.stringify({ ...at, scrolled });
    if (attempt === 1) return JSON.stringify(inside ? refuse('covered', { by: describe(hit) }) : refuse('hidden'));
    scrolled = true;
    reveal(el);
    const now = contentBox(el);
    ownScrollUntil = performance.now() + 100;
    scrollBy({ left: now.x + x - innerWidth / 2, top: now.y + y - innerHeight / 2, behavior: 'instant' });
  }
}

// The field that text goes to: the element, or an editable one in it; what has the focus where none is given.
function fieldOf(n) {
  const given = n === null ? activeElement() : elementOf(n);
  if (!given) return null;
  if (isEditable(given)) return given;
  if (given.isContentEditable) return nearest(given, isEditingHost);
  const active = activeElement();
  if (active && holds(given, active) && isEditable(active)) return active;
  if (n === null) return null;
  return Array.from(given.querySelectorAll('input,textarea,[contenteditable]')).find(isEditable) ?? null;
}

const NATIVE = new Set(['date', 'month', 'week', 'time', 'datetime-local', 'color', 'range']);

// Gives the field the focus with all of it selected, or the caret at its end.
function prepare(n, mode, secret) {
  const el = fieldOf(n);
  if (!el) {
    const given = n === null ? activeElement() : elementOf(n);
    return JSON.stringify(refuse('wrong', { say: `${describe(given)} takes no text` }));
  }
  if (isDisabled(el)) return JSON.stringify(refuse('disabled'));
  if (el.readOnly) return JSON.stringify(refuse('wrong', { say: `${describe(el)} can be read only` }));
  if (secret) rememberSecret(el);
  if (el !== activeElement()) el.focus({ preventScroll: true });
  let needsEnd = false;
  if (el.isContentEditable) {
    const selection = getSelection();
    selection.selectAllChildren(el);
    if (mode === 'append') selection.collapseToEnd();
  } else if (!NATIVE.has(el.type)) {
    if (mode === 'append') {
      // Numbers and addresses have no caret that a script can move.
      try { el.setSelectionRange(el.value.length, el.value.length); } catch { needsEnd = true; }
    } else el.select();
  }
  return JSON.stringify({ n: numberOf(el), native: NATIVE.has(el.type), end: needsEnd, empty: !(valueOf(el) ?? '') });
}

const secretRefs = [];
function rememberSecret(el) {
  if (secretFields.has(el)) return;
  secretFields.add(el);
  secretRefs.push(new WeakRef(el));
}

function setNative(n, text) {
  const el = elementOf(n);
  if (!el) return JSON.stringify(refuse('gone'));
  el.value = text;
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
  return JSON.stringify({ x: 0, y: 0 });
}

// Whether a field holds a text: true, false, or null where the page made something else of it.
function holdsText(n, text, mode) {
  const el = elementOf(n);
  if (!el) return 'null';
  const value = (valueOf(el) ?? '').replace(/\u00a0/g, ' ');
  const wanted = el.localName === 'input' ? text.replace(/[\r\n]/g, '') : text.replace(/\r\n?/g, '\n');
  if (mode === 'append' ? value.endsWith(wanted) : value === wanted) return 'true';
  let at = 0;
  for (const c of value) if (c === wanted[at]) at++;
  return at >= wanted.length && wanted.length > 0 ? 'null' : 'false';
}

function choose(n, fingerprint, wanted) {
  const el = expect(n, fingerprint);
  if (!(el instanceof Element)) return JSON.stringify(el);
  if (el.localName !== 'select') return JSON.stringify(refuse('wrong', { say: `${describe(el)} is no select; click it and then its options` }));
  if (isDisabled(el)) return JSON.stringify(refuse('disabled'));
  if (!el.multiple && wanted.length !== 1) return JSON.stringify(refuse('wrong', { say: `${describe(el)} takes exactly one option` }));
  const options = Array.from(el.options);
  const chosen = new Set();
  for (const want of wanted) {
    const text = collapse(want);
    const found = options.find((o) => o.value === want) ?? options.find((o) => collapse(o.label) === text)
      ?? options.find((o) => collapse(o.label).toLowerCase() === text.toLowerCase());
    const labels = options.slice(0, MAX_OPTIONS).map((o) => JSON.stringify(cut(collapse(o.label), MAX_OPTION))).join(', ');
    if (!found) return JSON.stringify(refuse('option', { say: `there is no option ${JSON.stringify(cut(want, MAX_OPTION))}; there are ${labels}` }));
    if (found.disabled || found.parentElement.disabled) return JSON.stringify(refuse('option', { say: `the option ${JSON.stringify(cut(want, MAX_OPTION))} is disabled` }));
    chosen.add(found);
  }
  el.focus({ preventScroll: true });
  const before = options.map((o) => o.selected);
  for (const option of options) option.selected = chosen.has(option);
  if (options.some((o, i) => o.selected !== before[i])) {
    el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  }
  const now = Array.from(el.selectedOptions, (o) => cut(collapse(o.label), MAX_OPTION));
  return JSON.stringify({ selected: now.slice(0, MAX_OPTIONS), verified: options.every((o) => o.selected === chosen.has(o)) });
}

function checkedState(n, fingerprint, wanted) {
  const el = expect(n, fingerprint);
  if (!(el instanceof Element)) return JSON.stringify(el);
  const state = flagsOf(el, null).checked ?? flagsOf(el, null).pressed;
  if (state === undefined) return JSON.stringify(refuse('wrong', { say: `${describe(el)} can be neither checked nor unchecked` }));
  if (!wanted && roleOf(el) === 'radio') return JSON.stringify(refuse('wrong', { say: `${describe(el)} is a radio button: check another one of its group` }));
  return JSON.stringify({ checked: state });
}

function fileField(n, fingerprint, count) {
  const el = expect(n, fingerprint);
  if (!(el instanceof Element)) return JSON.stringify(el);
  if (el.localName !== 'input' || el.type !== 'file') return JSON.stringify(refuse('wrong', { say: `${describe(el)} is no file input` }));
  if (isDisabled(el)) return JSON.stringify(refuse('disabled'));
  if (count > 1 && !el.multiple) return JSON.stringify(refuse('wrong', { say: `${describe(el)} takes one file only` }));
  return JSON.stringify({ x: 0, y: 0 });
}

const fileCount = (n) => String(elementOf(n)?.files?.length ?? 0);

function focusOn(n, fingerprint) {
  const el = expect(n, fingerprint);
  if (!(el instanceof Element)) return JSON.stringify(el);
  if (isDisabled(el)) return JSON.stringify(refuse('disabled'));
  if (!isShown(el)) return JSON.stringify(refuse('hidden'));
  if (el !== activeElement() && !holds(el, activeElement())) el.focus();
  return JSON.stringify({ x: 0, y: 0 });
}

function secrets() {
  const fields = new Set(secretRefs.map((ref) => ref.deref()).filter((el) => el?.isConnected));
  everyElement(document.documentElement, (el) => { if (isSecret(el)) fields.add(el); });
  return JSON.stringify(Array.from(fields).filter((el) => valueOf(el)).map((el) => el.getBoundingClientRect()).filter((r) => r.width > 0).map((r) => [r.x, r.y, r.width, r.height]));
}
