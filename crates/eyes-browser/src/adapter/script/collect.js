// What a document shows: its elements, its text, and the frames and possible hosts of closed shadow roots in it.

const TEXT_INPUTS = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'date', 'month', 'week',
  'time', 'datetime-local', 'color']);
const HOSTS = new Set(['article', 'aside', 'blockquote', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header',
  'main', 'nav', 'p', 'section', 'span']);
const PICTORIAL = new Set(['canvas', 'img', 'video', 'svg', 'embed', 'object']);
const INLINE = new Set(['inline', 'inline-block', 'inline-flex', 'inline-grid', 'inline-table', 'contents', 'table-cell', 'ruby']);
// Interactive without any attribute.
const CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'summary']);
// What they hold is not part of the page's text.
const LEAVES = new Set(['iframe', 'frame', 'select', 'textarea', 'svg', 'object', 'video', 'audio', 'canvas']);
// In an element whose name tells its text, below a pointer cursor, outside of the view, in an interactive element.
const INSIDE = 1, POINTER = 2, OFF = 4, INTERACTIVE = 8;
const asked = new WeakMap();

const isEditingHost = (el) => el.isContentEditable && el.hasAttribute('contenteditable');
const isEditable = (el) => isEditingHost(el) || el.localName === 'textarea' || (el.localName === 'input' && TEXT_INPUTS.has(el.type));

function isInteractive(el, bits, isPointer) {
  const tag = el.localName;
  switch (tag) {
    case 'a': case 'area': if (el.hasAttribute('href')) return true; break;
    case 'input': return el.type !== 'hidden';
    case 'button': case 'select': case 'textarea': return true;
    case 'summary': if (el.parentElement?.localName === 'details') return true; break;
    case 'audio': case 'video': if (el.controls) return true; break;
    case 'label': if (el.control) return false; break;
    case 'html': case 'body': return isEditingHost(el);
    case 'option': case 'optgroup': return false;
  }
  const role = el.getAttribute('role');
  if (role && INTERACTIVE_ROLES.has(roleOf(el))) return true;
  if (isEditingHost(el) || el.draggable && tag !== 'img' && el.getAttribute('draggable') === 'true') return true;
  if (el.hasAttribute('onclick') || el.hasAttribute('onmousedown')) return true;
  const tabindex = el.getAttribute('tabindex');
  if (tabindex !== null && Number(tabindex) >= 0 && !el.hasAttribute('aria-hidden')) return true;
  return isPointer && !(bits & (POINTER | INSIDE | INTERACTIVE)) && !el.querySelector('a[href],button,input,select,textarea');
}

// Inputs that a styled label stands for are where the label is.
function boxesOf(el) {
  const own = box(el.getBoundingClientRect());
  if (el.localName === 'input' && (own.w <= 1 || own.h <= 1) && el.labels?.length) {
    for (const label of el.labels) {
      const r = box(label.getBoundingClientRect());
      if (r.w > 1 && r.h > 1) return { r, by: label };
    }
  }
  return { r: own, by: el };
}

const tristate = (value) => value === 'true' ? 'true' : value === 'mixed' ? 'mixed' : value === 'false' ? 'false' : undefined;

function flagsOf(el, active) {
  const attribute = (name) => el.getAttribute(name);
  const flags = {};
  const tag = el.localName;
  if (tag === 'input' && (el.type === 'checkbox' || el.type === 'radio')) flags.checked = el.indeterminate ? 'mixed' : String(el.checked);
  else if (tristate(attribute('aria-checked'))) flags.checked = tristate(attribute('aria-checked'));
  if (tristate(attribute('aria-pressed'))) flags.pressed = tristate(attribute('aria-pressed'));
  if (attribute('aria-selected') !== null) flags.selected = attribute('aria-selected') === 'true';
  else if (tag === 'option') flags.selected = el.selected;
  if (attribute('aria-expanded') !== null) flags.expanded = attribute('aria-expanded') === 'true';
  else if (tag === 'summary' && el.parentElement?.localName === 'details') flags.expanded = el.parentElement.open;
  if (isDisabled(el)) flags.disabled = true;
  if (el.readOnly === true && isEditable(el) || attribute('aria-readonly') === 'true') flags.readonly = true;
  if (el.required === true || attribute('aria-required') === 'true') flags.required = true;
  if (el === active) flags.focused = true;
  if (attribute('aria-invalid') === 'true' || el.willValidate && el.matches(':user-invalid')) flags.invalid = true;
  if (isEditable(el)) flags.editable = true;
  if (isSecret(el)) flags.secret = true;
  return flags;
}

function isDisabled(el) {
  if (el.matches(':disabled')) return true;
  return !!nearest(el, (at) => at.inert === true || at.getAttribute('aria-disabled') === 'true');
}

function valueOf(el) {
  const tag = el.localName;
  if (tag === 'select') return Array.from(el.selectedOptions, (o) => collapse(o.label)).join(', ');
  if (tag === 'textarea') return el.value;
  if (tag === 'input') {
    if (el.type === 'file') return Array.from(el.files ?? [], (f) => f.name).join(', ');
    return TEXT_INPUTS.has(el.type) || el.type === 'range' ? el.value : undefined;
  }
  if (isEditingHost(el)) return el.innerText.replace(/\n$/, '');
  const role = el.getAttribute('role');
  if (role === 'slider' || role === 'spinbutton' || role === 'scrollbar') return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? undefined;
  return undefined;
}

function pointsOf(el, visible) {
  const rects = el.getClientRects();
  const parts = [];
  for (let i = 0; i < rects.length && i < 4; i++) {
    const part = intersect(box(rects[i]), visible);
    if (part) parts.push(part);
  }
  if (!parts.length) parts.push(visible);
  const points = parts.map((p) => [p.x + p.w / 2, p.y + p.h / 2]);
  for (const p of parts) {
    for (const [fx, fy] of [[0.5, 0.15], [0.5, 0.85], [0.1, 0.5], [0.9, 0.5], [0.15, 0.2], [0.85, 0.8], [0.85, 0.2], [0.15, 0.8]]) points.push([p.x + p.w * fx, p.y + p.h * fy]);
  }
  return points;
}

function belongs(el, hit) {
  if (!hit) return false;
  if (holds(el, hit)) return true;
  const label = nearest(hit, (at) => at.localName === 'label');
  return !!label && label.control === el && !nearest(hit, (at) => at !== label && holds(label, at) && isActive(at));
}
const isActive = (el) => ['a', 'button', 'input', 'select', 'textarea'].includes(el.localName);

function nodeRecord(el, look) {
  const { r, by } = boxesOf(el);
  const out = { n: numberOf(el), ...fingerprintOf(el), b: [r.x, r.y, r.w, r.h].map((v) => Math.round(v * 100) / 100) };
  const flags = flagsOf(el, look.active);
  if (Object.keys(flags).length) out.f = flags;
  const value = valueOf(el);
  if (value !== undefined) {
    const length = value.length > MAX_VALUE || flags.secret ? Array.from(value).length : 0;
    if (!flags.secret) out.v = cut(value, MAX_VALUE);
    if (flags.secret || length > MAX_VALUE) out.vc = length;
  }
  if (out.role === 'link' && el.href) out.h = cut(String(el.href.baseVal ?? el.href), MAX_HREF);
  if (el.localName === 'select') out.o = Array.from(el.options).slice(0, MAX_OPTIONS).map((o) => cut(collapse(o.label), MAX_OPTION));
  const visible = look.visible;
  if (visible) {
    out.i = true;
    const [x, y] = pointsOf(by, visible)[0];
    const hit = hitAt(x, y);
    if (!belongs(el, hit) && hit !== by) out.c = describe(hit);
  }
  return out;
}

class Collector {
  constructor(options) {
    this.options = options;
    this.view = options.view ? { x: options.view[0], y: options.view[1], w: options.view[2], h: options.view[3] } : viewport();
    this.region = options.region ? { x: options.region[0], y: options.region[1], w: options.region[2], h: options.region[3] } : null;
    this.find = options.find ? options.find.toLowerCase() : null;
    this.order = 0;
    this.found = [];
    this.lines = [];
    this.textTotal = 0;
    this.kept = 0;
    this.line = '';
    this.frames = [];
    this.hosts = [];
    this.pictorial = 0;
    this.range = document.createRange();
    this.clips = new Map();
    this.lastParent = null;
    this.isTextShown = false;
  }

  // What is so in a subtree is handed down as bits; styles and boxes are read only where they decide something, since
  // on a large page their reading is nearly all of the cost.
  element(el, bits, depth) {
    const tag = el.localName;
    if (SKIPPED.has(tag) || depth > 900) return;
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === 'none') return;
    const isBlock = !INLINE.has(display);
    if (isBlock) this.flush(); else if (display !== 'inline' && display !== 'contents') this.space();
    let own = this.look(el, tag, style, bits);
    if (isBlock || own & OFF) own = this.offset(el, style, display, own);
    if (!LEAVES.has(tag)) {
      for (const child of shownChildren(el)) {
        if (child.nodeType === 1) {
          if (tag !== 'details' || el.open || child.localName === 'summary') this.element(child, own, depth + 1);
        } else if (child.nodeType === 3) this.text(child, el, own);
      }
    }
    if (isBlock || tag === 'br') this.flush(); else if (display !== 'inline' && display !== 'contents') this.space();
  }

  // Text in a block outside of the view is outside, but for what is positioned.
  offset(el, style, display, bits) {
    if (this.options.whole || bits & INSIDE) return bits;
    if (bits & OFF) return style.position === 'absolute' || style.position === 'fixed' ? bits & ~OFF : bits;
    if (!el.firstElementChild || display === 'table' || display === 'table-row-group') return bits;
    const rect = el.getBoundingClientRect();
    const v = this.view;
    const isOff = rect.height > 0 && rect.width > 0 && (rect.top >= v.y + v.h || rect.bottom <= v.y || rect.left >= v.x + v.w || rect.right <= v.x);
    return isOff ? bits | OFF : bits;
  }

  // Whether it is shown, and its box and the part of it that is seen.
  shape(el) {
    const shape = boxesOf(el);
    if (shape.r.w <= 0 || shape.r.h <= 0 || shape.r.w <= 1 && shape.r.h <= 1 || !isShown(el)) return null;
    shape.seen = this.seen(shape.by, shape.r);
    return shape;
  }

  seen(el, r) {
    const part = intersect(r, this.view);
    const clip = part && clipOf(el, this.view, this.clips);
    return clip && intersect(part, clip);
  }

  look(el, tag, style, bits) {
    this.order++;
    if (tag === 'iframe' || tag === 'frame') {
      const r = box(el.getBoundingClientRect());
      if (r.w > 0 && r.h > 0 && isShown(el)) this.frames.push({ n: numberOf(el), k: this.order, ...this.frame(el) });
      return bits;
    }
    if (PICTORIAL.has(tag)) {
      const part = this.seen(el, box(el.getBoundingClientRect()));
      if (part) this.pictorial += part.w * part.h;
    }
    const root = rootOf(el);
    if (root) watch(root); else if (!el.firstElementChild || tag.includes('-')) this.host(el, tag);
    const isPointer = style.cursor === 'pointer';
    if ((el.attributes.length || isPointer || CONTROLS.has(tag)) && isInteractive(el, bits, isPointer)) {
      const shape = this.shape(el);
      if (shape) this.found.push({ el, k: this.order, visible: shape.seen, r: shape.r });
      if (isEditingHost(el) || (el.textContent ?? '').length <= MAX_NAME * 2) bits |= INSIDE;
      bits |= INTERACTIVE;
    }
    if (tag === 'label' && el.control) bits |= INSIDE;
    return isPointer ? bits | POINTER : bits & ~POINTER;
  }

  frame(el) {
    const content = contentBox(el);
    const part = this.seen(el, content);
    let covered;
    if (part) {
      const hit = hitAt(part.x + part.w / 2, part.y + part.h / 2);
      if (hit !== el) covered = describe(hit);
    }
    return { b: [content.x, content.y, content.w, content.h], p: part ? [part.x, part.y, part.w, part.h] : null, c: covered };
  }

  host(el, tag) {
    const isCustom = tag.includes('-');
    if (!isCustom) {
      if (!HOSTS.has(tag) || el.textContent.trim()) return;
      const r = el.getBoundingClientRect();
      if (r.width <= 0 || r.height <= 0) return;
    }
    if ((asked.get(el) ?? 0) < (isCustom ? 3 : 1) && this.hosts.length < MAX_HOSTS) this.hosts.push(numberOf(el));
  }

  text(node, parent, bits) {
    if (bits & (INSIDE | OFF)) return;
    const data = node.data;
    if (!/\S/.test(data)) return this.space();
    if (parent !== this.lastParent) {
      this.lastParent = parent;
      this.isTextShown = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    }
    if (!this.isTextShown) return;
    if (!this.options.whole) {
      this.range.selectNodeContents(node);
      const part = intersect(box(this.range.getBoundingClientRect()), this.view);
      const clip = part && contentClip(parent, this.view, this.clips);
      const seen = clip && intersect(part, clip);
      if (!seen || (this.region && !intersect(seen, this.region))) return;
    }
    this.line += data;
  }

  space() {
    if (this.line) this.line += ' ';
  }

  flush() {
    if (!this.line) return;
    const line = collapse(this.line);
    this.line = '';
    if (!line || (this.find && !line.toLowerCase().includes(this.find))) return;
    this.textTotal += line.length;
    if (this.kept >= this.options.maxText) return;
    const kept = cut(line, this.options.maxText - this.kept);
    this.kept += kept.length;
    this.lines.push([kept, this.order]);
  }

  records() {
    const active = activeElement();
    let list = this.found;
    if (this.region) list = list.filter((f) => f.visible && intersect(f.visible, this.region));
    if (this.find) {
      list = list.filter(({ el }) => {
        const texts = [nameOf(el), isSecret(el) ? '' : valueOf(el) ?? ''];
        return texts.some((text) => text.toLowerCase().includes(this.find));
      });
    }
    const total = list.length;
    const shown = list.filter((f) => f.visible), others = list.filter((f) => !f.visible);
    const out = [...shown, ...others].slice(0, this.options.max)
      .map((f) => ({ k: f.k, ...nodeRecord(f.el, { active, visible: f.visible }) }));
    return { total, inView: shown.length, out };
  }
}

function contentBox(el) {
  const r = el.getBoundingClientRect();
  const style = getComputedStyle(el);
  const side = (name) => parseFloat(style[name]) || 0;
  const left = el.clientLeft + side('paddingLeft'), top = el.clientTop + side('paddingTop');
  return { x: r.left + left, y: r.top + top, w: Math.max(0, el.clientWidth - side('paddingLeft') - side('paddingRight')), h: Math.max(0, el.clientHeight - side('paddingTop') - side('paddingBottom')) };
}

function collect(options) {
  const start = options.within ? elementOf(options.within) : document.documentElement;
  if (options.within && !start) return JSON.stringify({ gone: true });
  const c = new Collector(options);
  // A document that has just begun has no element yet.
  if (start) c.element(start, 0, 0);
  c.flush();
  const { total, inView, out } = c.records();
  const page = document.scrollingElement ?? document.documentElement;
  return JSON.stringify({
    url: cut(location.href, MAX_URL), title: cut(document.title, MAX_TITLE), loaded: document.readyState === 'complete',
    view: [innerWidth, innerHeight, devicePixelRatio],
    scroll: [scrollX, scrollY, page?.scrollWidth ?? 0, page?.scrollHeight ?? 0].map(Math.round),
    elements: out, total, inView, text: c.lines, textTotal: c.textTotal, pictorial: c.pictorial,
    frames: c.frames, hosts: c.hosts,
  });
}
