// Finding elements of any kind, in document order.

function everyElement(start, visit) {
  const stack = [start];
  let count = 0;
  while (stack.length && count++ < 200000) {
    const el = stack.pop();
    if (!el || SKIPPED.has(el.localName)) continue;
    if (visit(el) === false) return;
    const children = [];
    const root = rootOf(el);
    if (root) children.push(...root.children);
    children.push(...el.children);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]);
  }
}

function matcher(text, exact) {
  const wanted = collapse(text).toLowerCase();
  return exact ? (have) => collapse(have).toLowerCase() === wanted : (have) => collapse(have).toLowerCase().includes(wanted);
}

function find(query) {
  let found = [];
  if (query.key !== undefined) {
    const el = elementOf(query.key);
    if (el) found.push(el);
  } else if (query.css !== undefined) {
    try { document.querySelector(query.css); } catch (error) { return JSON.stringify({ error: cut(String(error.message), 200) }); }
    everyElement(document.documentElement, (el) => {
      if (el.matches(query.css)) found.push(el);
      return found.length < MAX_FOUND;
    });
  } else if (query.role !== undefined) {
    const matches = query.name === null ? null : matcher(query.name, query.exact);
    everyElement(document.documentElement, (el) => {
      if (roleOf(el) === query.role && (!matches || matches(nameOf(el))) && !isInvisible(el)) found.push(el);
      return found.length < MAX_FOUND;
    });
  } else found = findText(query);
  const active = activeElement();
  return JSON.stringify({ url: cut(location.href, MAX_URL), nodes: found.slice(0, MAX_FOUND).map((el) => foundRecord(el, active)) });
}

const isInvisible = (el) => !el.checkVisibility() || !!nearest(el, (at) => at.getAttribute('aria-hidden') === 'true');

function findText(query) {
  const matches = matcher(query.text, query.exact);
  const acting = [], showing = [];
  everyElement(document.documentElement, (el) => {
    if (isInteractive(el, 0, getComputedStyle(el).cursor === 'pointer') && matches(nameOf(el)) && isShown(el)) acting.push(el);
    else if (!isSecret(el) && el.localName !== 'option' && matches(el.textContent ?? '')
      && !Array.from(el.children).some((c) => matches(c.textContent ?? '')) && el.checkVisibility()) showing.push(el);
    return acting.length < MAX_FOUND;
  });
  return acting.length ? acting : showing;
}

function foundRecord(el, active) {
  const { r, by } = boxesOf(el);
  const shown = isShown(el) && r.w > 0 && r.h > 0;
  const clip = shown ? clipOf(by, viewport()) : null;
  const record = nodeRecord(el, { active, visible: clip && intersect(r, clip) });
  const text = isSecret(el) ? '' : el.innerText ?? el.textContent ?? '';
  return { ...record, s: shown, t: cut(collapse(text), MAX_VALUE) };
}
