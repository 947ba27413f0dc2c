globalThis.__eyes = {
  collect, find, aim, scrollTo, place, prepare, setNative, holdsText, choose, checkedState, fileField, fileCount,
  focusOn, secrets, mark, settle,
  node: (n) => elementOf(n) ?? null,
  number: (el) => numberOf(el),
  asked: (n) => { const el = elementOf(n); if (el) asked.set(el, (asked.get(el) ?? 0) + 1); return ''; },
  adopt: (host, root) => { closedRoots.set(host, root); watch(root); },
  dragBegan: () => String(dragBegan),
  hasActiveFrame: () => String(['iframe', 'frame'].includes(activeElement()?.localName)),
};
