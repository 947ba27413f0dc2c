// Roles (WAI-ARIA, HTML-AAM) and accessible names (Accessible Name and Description Computation 1.2).

const ROLES = {
  article: 'article', aside: 'complementary', button: 'button', datalist: 'listbox', details: 'group', dialog: 'dialog',
  dd: 'definition', dt: 'term', fieldset: 'group', figure: 'figure', form: 'form', footer: 'contentinfo',
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', header: 'banner',
  hr: 'separator', img: 'img', li: 'listitem', main: 'main', menu: 'list', meter: 'meter', nav: 'navigation',
  ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar',
  search: 'search', section: 'region', summary: 'button', svg: 'img', table: 'table', tbody: 'rowgroup', td: 'cell',
  textarea: 'textbox', tfoot: 'rowgroup', th: 'columnheader', thead: 'rowgroup', tr: 'row', ul: 'list',
};
const INPUT_ROLES = {
  button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton', radio: 'radio',
  range: 'slider', reset: 'button', search: 'searchbox', submit: 'button',
};
const INTERACTIVE_ROLES = new Set(['button', 'checkbox', 'combobox', 'gridcell', 'link', 'listbox', 'menuitem',
  'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'scrollbar', 'searchbox', 'slider', 'spinbutton', 'switch',
  'tab', 'textbox', 'treeitem']);
const NAMED_BY_CONTENT = new Set(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link',
  'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'row', 'rowheader', 'switch', 'tab', 'tooltip',
  'treeitem', 'generic', 'term']);

function roleOf(el) {
  const given = el.getAttribute('role');
  if (given) {
    const first = given.trim().split(/\s+/)[0]?.toLowerCase();
    if (first && first !== 'presentation' && first !== 'none') return first;
  }
  const tag = el.localName;
  if (tag === 'a' || tag === 'area') return el.hasAttribute('href') ? 'link' : 'generic';
  if (tag === 'input') return INPUT_ROLES[el.type] ?? (el.hasAttribute('list') ? 'combobox' : 'textbox');
  if (tag === 'select') return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
  if (el.isContentEditable && el.hasAttribute('contenteditable')) return 'textbox';
  return ROLES[tag] ?? 'generic';
}

const isHidden = (el) => {
  const style = getComputedStyle(el);
  return style.display === 'none' || style.visibility !== 'visible' || el.getAttribute('aria-hidden') === 'true';
};

function references(el, attribute) {
  const root = el.getRootNode();
  return (el.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean).slice(0, 20)
    .map((id) => root.getElementById?.(id)).filter(Boolean);
}

function nameOf(el) {
  return cut(collapse(computeName(el, { seen: new Set(), referenced: false, inside: false })), MAX_NAME);
}

function computeName(el, context) {
  if (context.seen.has(el) || context.seen.size > 500) return '';
  context.seen.add(el);
  if (!context.referenced && context.inside && isHidden(el)) return '';
  if (!context.referenced) {
    const labels = references(el, 'aria-labelledby');
    if (labels.length) {
      const text = labels.map((label) => computeName(label, { seen: new Set(context.inside ? context.seen : []), referenced: true, inside: true })).join(' ');
      if (text.trim()) return text;
    }
  }
  const role = roleOf(el);
  if (context.inside) {
    const held = heldValue(el, role);
    if (held !== null) return held;
  }
  const label = el.getAttribute('aria-label');
  if (label?.trim()) return label;
  return nativeName(el, context) || contentName(el, role, context) || el.getAttribute('title') || placeholderName(el);
}

// A control within a label counts with what it holds; a secret never.
function heldValue(el, role) {
  if (isSecret(el)) return '';
  const tag = el.localName;
  if (tag === 'select') return Array.from(el.selectedOptions, (o) => o.label).join(' ');
  if (tag === 'textarea' || (tag === 'input' && ['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider'].includes(role))) return el.value;
  if (role === 'slider' || role === 'spinbutton') return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? '';
  if (role === 'textbox' && el.isContentEditable) return el.innerText;
  return null;
}

function childName(el, tag, context) {
  const child = Array.from(el.children).find((c) => c.localName === tag);
  return child ? contentOf(child, { ...context, inside: true }) : '';
}

function nativeName(el, context) {
  const tag = el.localName;
  if (tag === 'input' && ['submit', 'reset', 'button'].includes(el.type)) {
    const own = labelName(el, context);
    return own || el.value || (el.type === 'submit' ? 'Submit' : el.type === 'reset' ? 'Reset' : '');
  }
  if (tag === 'input' && el.type === 'image') return labelName(el, context) || el.alt || el.title || 'Submit';
  if (el.labels?.length) return labelName(el, context);
  if (tag === 'img' || tag === 'area') return el.getAttribute('alt') ?? '';
  if (tag === 'svg') return childName(el, 'title', { ...context, referenced: true });
  if (tag === 'fieldset') return childName(el, 'legend', context);
  if (tag === 'figure') return childName(el, 'figcaption', context);
  if (tag === 'table') return childName(el, 'caption', context);
  if (tag === 'optgroup' || tag === 'option') return el.label;
  return '';
}

function labelName(el, context) {
  if (!el.labels?.length) return '';
  return Array.from(el.labels).slice(0, 10)
    .map((label) => computeLabel(label, el, context)).filter((text) => text.trim()).join(' ');
}

// The field itself does not name itself through the label that holds it.
function computeLabel(label, el, context) {
  const seen = new Set(context.seen);
  seen.add(el);
  return computeName(label, { seen, referenced: false, inside: true });
}

const placeholderName = (el) => el.getAttribute('placeholder') ?? el.getAttribute('aria-placeholder') ?? '';

function contentName(el, role, context) {
  const editable = role === 'textbox' || role === 'searchbox' || role === 'combobox' || role === 'listbox' || role === 'spinbutton' || role === 'slider';
  if (editable && !context.inside) return '';
  if (!context.inside && !NAMED_BY_CONTENT.has(role)) return '';
  return contentOf(el, { ...context, inside: true, referenced: false });
}

function contentOf(el, context) {
  if (el.childNodes.length === 1 && el.firstChild.nodeType === 3 && !rootOf(el)) return el.firstChild.data;
  let out = '';
  for (const node of shownChildren(el)) {
    if (out.length > MAX_NAME * 8) break;
    if (node.nodeType === 3) out += node.data;
    else if (node.nodeType === 1 && !SKIPPED.has(node.localName)) {
      const text = computeName(node, context);
      const inline = getComputedStyle(node).display.startsWith('inline') || getComputedStyle(node).display === 'contents';
      out += inline ? text : ` ${text} `;
    }
  }
  if (!out.trim()) {
    for (const pseudo of ['::before', '::after']) {
      const content = /^"(.*)"$/.exec(getComputedStyle(el, pseudo).content);
      if (content) out += content[1];
    }
  }
  return out;
}

const fingerprintOf = (el) => ({ tag: el.localName, role: roleOf(el), name: nameOf(el), kind: el.localName === 'input' ? el.type : '' });

function describe(el) {
  if (!el) return 'nothing';
  const id = el.id ? `#${cut(el.id, 40)}` : '';
  const text = cut(collapse(nameOf(el) || (isSecret(el) ? '' : el.textContent ?? '')), 40);
  return `${el.localName}${id}${text ? ` "${text}"` : ''}`;
}
