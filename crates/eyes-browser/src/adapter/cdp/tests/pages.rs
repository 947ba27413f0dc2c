//! Pages that are hard to get right; `#log` holds what each of them saw.

use super::server::Body;

const LOG: &str = "<pre id=log></pre><script>
    window.note = (what) => { log.textContent += (log.textContent ? ' ' : '') + what; };
</script>";

const PAGES: &[(&str, &str)] = &[
    ("late", "<button onclick=\"note('deleted')\">Delete all</button> <button onclick=\"note('saved')\">Save</button>
        <script>window.later = () => document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'News', onclick: () => note('news') }));</script>
        <button onclick=\"later()\">Later</button>"),
    ("rename", "<button id=b onclick=\"note(b.textContent)\">Keep</button><button onclick=\"b.textContent = 'Remove'\">Rename</button><button onclick=\"b.remove()\">Drop it</button>"),
    ("open-root", "<my-card></my-card><button onclick=\"note('outer')\">Outer</button>
        <script>customElements.define('my-card', class extends HTMLElement { connectedCallback() {
            const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<p>Inner words</p><button>Inner</button>';
            root.querySelector('button').onclick = () => note('inner'); } });</script>"),
    ("closed-root", "<my-vault></my-vault><div id=plain style='width:90px;height:30px'></div>
        <script>customElements.define('my-vault', class extends HTMLElement { constructor() { super();
            const root = this.attachShadow({ mode: 'closed' }); root.innerHTML = '<label>Code <input></label><button>Vault</button>';
            root.querySelector('button').onclick = () => note('vault'); } });
        const hidden = plain.attachShadow({ mode: 'closed' }); hidden.innerHTML = '<button>Plain vault</button>';
        hidden.querySelector('button').onclick = () => note('plain');</script>"),
    ("frame", "<button onclick=\"note('outside')\">Outside</button>
        <iframe width=300 height=100 style='border:7px solid; padding:5px' srcdoc=\"<p>framed words</p><button onclick=&quot;parent.note('inside')&quot;>Inside</button>\"></iframe>"),
    ("far-frame", "<div style='height:1500px'>above</div><iframe width=300 height=200 src='http://localhost:PORT/framed'></iframe>
        <script>addEventListener('message', (event) => note(event.data));</script>"),
    ("near-frame", "<iframe id=f width=300 height=200 src='http://localhost:PORT/framed'></iframe>
        <div id=lid style='position:fixed;inset:0;display:none'></div>
        <script>addEventListener('message', (event) => note(event.data)); addEventListener('keydown', (e) => { if (e.key === 'l') lid.style.display = 'block'; });</script>"),
    ("framed", "<button onclick=\"parent.postMessage('framed', '*')\">Framed</button><input aria-label=Word oninput=\"parent.postMessage(this.value, '*')\">"),
    ("dialogs", "<button onclick=\"note('confirm ' + confirm('Sure?'))\">Confirm</button>
        <button onclick=\"note('prompt ' + prompt('Who?', 'me'))\">Prompt</button><button onclick=\"alert('Look'); note('alerted')\">Alert</button>"),
    ("popup", "<a target=_blank href=popped>Pop</a><button onclick=\"window.open('popped')\">Open</button>"),
    ("popped", "<button onclick=\"note('popped')\">Inner pop</button><button onclick=\"window.close()\">Close me</button>"),
    ("download", "<a download href=data.bin>Fetch</a><a href=evil>Evil</a>"),
    ("upload", "<label>Attach <input type=file multiple onchange=\"note([...this.files].map((f) => f.name + ':' + f.size).join())\"></label>"),
    ("hover", "<style>#item { display: none } #menu:hover #item { display: block }</style>
        <div id=menu style='width:100px;height:50px'>Hover here<button id=item onclick=\"note('item')\">Item</button></div>"),
    ("drag", "<div id=thing draggable=true style='width:60px;height:60px;background:#88f'>Thing</div>
        <div id=box style='margin-top:30px;width:120px;height:90px;background:#fc8'>Box</div>
        <script>thing.ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'load'); note('start'); };
        box.ondragover = (e) => e.preventDefault(); box.ondrop = (e) => { e.preventDefault(); note('dropped ' + e.dataTransfer.getData('text/plain')); };</script>"),
    ("slide", "<div id=knob style='width:40px;height:40px;background:#88f;cursor:pointer'>Knob</div><div id=goal style='margin:80px;width:60px;height:60px;background:#fc8'>Goal</div>
        <script>let held = false; knob.onmousedown = (e) => { held = true; e.preventDefault(); };
        addEventListener('mouseup', (e) => { if (held) note('released on ' + e.target.id); });</script>"),
    ("custom", "<div style='cursor:pointer' id=card>Card</div>
        <label style='position:relative;display:inline-block;width:90px;height:20px'><input type=checkbox style='opacity:0;position:absolute;inset:0' onchange=\"note('fancy ' + this.checked)\">Fancy</label>
        <label style='display:block'><input type=checkbox style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)' onchange=\"note('tiny ' + this.checked)\"><span>Tiny</span></label>
        <div role=switch aria-checked=false tabindex=-1 onclick=\"this.setAttribute('aria-checked', 'true'); note('switch')\">Wifi</div>
        <div role=option onclick=\"note('option')\">Choice</div><div role=tab>Second tab</div><div contenteditable aria-label=Notes>old</div>
        <script>card.addEventListener('click', () => note('card'));</script>"),
    ("keys", "<input id=k aria-label=Search value=old><script>
        k.addEventListener('keydown', (e) => note('d:' + e.key)); k.addEventListener('input', () => note('i:' + k.value)); k.addEventListener('change', () => note('c'));
        </script><form onsubmit=\"note('submitted'); return false\"><input aria-label=Form></form>"),
    ("timer", "<button onclick=\"setTimeout(() => location.href = 'arrived', WAIT)\">Leave</button>"),
    ("arrived", "<p>You are here</p><button>Here</button>"),
    ("cover", "<button onclick=\"note('under')\">Under</button><div id=lid style='position:fixed;inset:0;background:#0006'>Cookies?</div>"),
    ("password", "<label>Password <input type=password></label><label>Card <input id=c></label><button onclick=\"c.type = 'text'; document.querySelector('[type=password]').type = 'text'\">Show</button>"),
    ("select", "<label>Size <select onchange=\"note(this.value)\"><option value=s>Small<option value=l>Large<option value=x disabled>Huge</select></label>
        <select multiple aria-label=Many><option>One<option>Two<option>Three</select>"),
    ("states", "<button disabled>Off</button><button aria-pressed=true>Bold</button><details><summary>More</summary><button>Deep</button></details>
        <fieldset inert><button>Inert</button></fieldset><input type=radio aria-label=R1 name=r checked><input type=radio aria-label=R2 name=r><input readonly aria-label=Fixed value=v>
        <input required aria-label=Needed><div style='visibility:hidden'><button>Ghost</button></div><div style='opacity:0'><button>Clear</button></div><button style='display:none'>None</button>
        <div style='height:30px;overflow:auto'><div style='height:300px'>tall</div><button onclick=\"note('clipped')\">Clipped</button></div>"),
    ("names", "<span id=l1>Bill</span><span id=l2>ing</span><button aria-labelledby='l1 l2'>x</button><a href=#i><img alt='Home page' width=9 height=9></a>
        <button><svg width=9 height=9><title>Gear</title></svg></button><input placeholder='Your name'><input title=Tip><label for=ff>Field</label><input id=ff>
        <button aria-label=Close>X</button><label>Wrapped <input value=own> km</label><input type=submit><select aria-label=Pick><option>a</select><div role=button><b>Bold</b>ly</div>
        <label>Volume <input type=range value=30></label><button title=Titled></button>"),
    ("console", "<button onclick=\"console.error('broken', 7); console.warn('careful'); console.log('quiet'); fetch('missing'); setTimeout(() => { throw new Error('oops'); }, 0)\">Break</button>"),
    ("redirect", "<a href=hop>Hop</a><iframe src='hop' width=50 height=50></iframe>"),
    ("words", "<h1>Title</h1><p>First <b>bold</b> line</p><ul><li>one</li><li>two</li></ul><p>Press <button>OK</button> now</p><div style='height:3000px'></div><p>Far below</p><button>Bottom</button>"),
    ("fade", "<style>#panel { opacity: 0; transform: translateX(300px); width: 200px } #panel.in { opacity: 1; transform: none; transition: all 200ms linear }
        #wheel { animation: turn 1s infinite } @keyframes turn { to { rotate: 1turn } }</style><div id=wheel style='width:9px;height:9px'></div>
        <button onclick=\"box.hidden = false; requestAnimationFrame(() => requestAnimationFrame(() => panel.classList.add('in')))\">Open</button>
        <div id=box hidden><div id=panel><button onclick=\"note('faded')\">Faded</button></div></div>"),
    ("leave", "<input aria-label=Edit><script>addEventListener('beforeunload', (e) => e.preventDefault());</script>"),
];

/// A page of very many lines.
fn long() -> String {
    let lines: Vec<String> = (0..3_000)
        .map(|number| format!("<p>Line {number} of the text</p>"))
        .collect();
    let lines = lines.concat();
    format!("{lines}<button onclick=\"note('bottom')\">Bottom</button>")
}

pub(super) fn answer(path: &str, port: u16) -> Option<Body> {
    let (name, query) = path.split_once('?').unwrap_or((path, ""));
    match name {
        "data.bin" => {
            return Some(Body {
                kind: "application/octet-stream",
                headers: "Content-Disposition: attachment; filename=\"data.bin\"\r\n".to_owned(),
                status: 200,
                bytes: vec![7; 4096],
            });
        }
        "evil" => {
            return Some(Body {
                kind: "application/octet-stream",
                headers: "Content-Disposition: attachment; filename=\"..%2f..%2fevil.exe\"\r\n"
                    .to_owned(),
                status: 200,
                bytes: vec![1; 10],
            });
        }
        "hop" => {
            return Some(Body {
                headers: format!("Location: http://localhost:{port}/arrived\r\n"),
                status: 302,
                ..Body::page(String::new())
            });
        }
        _ => {}
    }
    let html = if name == "long" {
        long()
    } else {
        (*PAGES.iter().find(|(known, _)| *known == name)?.1).to_owned()
    };
    let html = html
        .replace("PORT", &port.to_string())
        .replace("WAIT", query.trim_start_matches("wait="));
    Some(Body::page(format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{name}</title></head><body>{LOG}{html}</body></html>"
    )))
}
