//! Pages with something in the way of whoever drives them.
//!
//! `say` writes what a page really saw into `window.__log` and into its text, as `log: FIRST SECOND`.

const HEAD: &str = "<!doctype html><html lang=en><head><meta charset=utf-8><title>Trap</title><link rel=icon href=data:,>\
    </head><body><p id=log>log:</p><script>window.__log = []; function say(what) { window.__log.push(what); \
    document.getElementById('log').textContent = 'log: ' + window.__log.join(' ') } \
    addEventListener('message', event => say(event.data))</script>";

/// Makes a page of what stands in its body.
pub(super) fn whole(body: &str) -> String {
    format!("{HEAD}{body}</body></html>")
}

/// Returns the page of a path.
pub(super) fn page(path: &str, port: u16) -> Option<String> {
    if path == "paragraphs" {
        return Some(whole(&paragraphs()));
    }
    let (_, body) = PAGES.iter().find(|(name, _)| *name == path)?;
    Some(whole(&body.replace("PORT", &port.to_string())))
}

fn paragraphs() -> String {
    let text = "Nobody reads all of this, and whoever looks for the button at the end need not. "
        .repeat(6);
    let mut body = format!("<p>{text}</p>").repeat(600);
    body.push_str("<button onclick=\"say('BOTTOM')\">At the bottom</button>");
    body
}

const PAGES: &[(&str, &str)] = &[
    (
        "shift",
        "<div id=row><button onclick=\"say('SAVED')\">Save draft</button></div><script>
        setTimeout(() => {
            const other = document.createElement('button');
            other.textContent = 'Delete all';
            other.style.display = 'block';
            other.onclick = () => say('DELETED');
            row.prepend(other);
            fetch('/shifted');
        }, 1500)</script>",
    ),
    ("shifted", ""),
    (
        "shadow",
        "<x-open></x-open><script>customElements.define('x-open', class extends HTMLElement {
            constructor() { super(); const root = this.attachShadow({mode: 'open'});
            root.innerHTML = '<button>In the shadow</button>';
            root.firstChild.onclick = () => say('SHADOW') } })</script>",
    ),
    (
        "shadow-closed",
        "<x-shut></x-shut><script>customElements.define('x-shut', class extends HTMLElement {
            constructor() { super(); const root = this.attachShadow({mode: 'closed'});
            root.innerHTML = '<button>Behind the door</button>';
            root.firstChild.onclick = () => say('CLOSED') } })</script>",
    ),
    (
        "frame",
        "<div style='height:120px'></div><iframe src=/inner width=400 height=200></iframe>",
    ),
    (
        "frame-other",
        "<div style='height:120px'></div><iframe src=http://localhost:PORT/inner width=400 height=200></iframe>",
    ),
    (
        "inner",
        "<button onclick=\"parent.postMessage('INNER:' + origin.split('/')[2].split(':')[0], '*')\">Inside</button>",
    ),
    (
        "dialog",
        "<button onclick=\"say('confirm=' + confirm('Really go on?'))\">Ask me</button>",
    ),
    (
        "popup",
        "<button onclick=\"window.open('/popped')\">Open another</button>",
    ),
    (
        "popped",
        "<button onclick=\"say('POPPED')\">Only here</button>",
    ),
    ("download", "<a href=/file.bin>Get the file</a>"),
    (
        "upload",
        "<label>Attach <input type=file onchange=\"say('file=' + files[0].name + ':' + files[0].size)\"></label>",
    ),
    (
        "hover",
        "<style>#menu { display: none } #top:hover #menu { display: block }</style><div id=top style='width:200px'>
        <button>Products</button><div id=menu><button onclick=\"say('MENU')\">Boats</button></div></div>",
    ),
    (
        "drag",
        "<div id=card draggable=true role=button aria-label=Card style='width:90px;height:60px;background:#cde'></div>
        <div id=bin role=button aria-label=Bin style='margin-top:80px;width:200px;height:100px;background:#edc'></div><script>
        card.ondragstart = event => { event.dataTransfer.setData('text/plain', 'payload'); say('dragstart') };
        bin.ondragover = event => event.preventDefault();
        bin.ondrop = event => { event.preventDefault(); say('drop=' + event.dataTransfer.getData('text/plain')) }</script>",
    ),
    (
        "custom",
        "<div id=plain style='cursor:pointer;width:120px'>Plain box</div>
        <div id=box role=checkbox aria-checked=false tabindex=0>Agree</div>
        <span id=flip role=switch aria-checked=false tabindex=0>Dark</span>
        <ul role=listbox aria-label=Sizes><li id=large role=option aria-selected=false tabindex=-1>Large</li></ul><script>
        plain.addEventListener('click', () => say('DIV'));
        const turn = element => { const on = element.ariaChecked !== 'true'; element.ariaChecked = String(on); return on };
        box.addEventListener('click', () => say('CHK=' + turn(box)));
        flip.addEventListener('click', () => say('SWITCH=' + turn(flip)));
        large.addEventListener('click', () => { large.ariaSelected = 'true'; say('OPTION') })</script>",
    ),
    (
        "keys",
        "<label>Code <input id=code></label><script>code.onkeydown = event => say('key=' + event.key)</script>",
    ),
    (
        "timer",
        "<button onclick=\"setTimeout(() => location.href = '/arrived', 300)\">Go soon</button>",
    ),
    ("arrived", "<h1>You have arrived</h1>"),
    (
        "overlay",
        "<button onclick=\"say('BUY')\">Buy</button><div id=cover role=dialog aria-label='Cookie wall'
        style='position:fixed;inset:0;background:#0008'><p>Cookies first</p></div>",
    ),
    (
        "secret",
        "<label>Passphrase <input type=password oninput=\"say('length=' + value.length)\"></label>
        <label>Plain <input oninput=\"say('seen=' + value.length)\"></label>",
    ),
    (
        "form",
        "<button onclick=\"say('PRESSED')\">Press</button>",
    ),
];
