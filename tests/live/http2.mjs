// A provider that speaks HTTP/2 over TLS and nothing else: `node http2.mjs CERTIFICATE KEY`.
import { readFileSync } from "node:fs";
import { constants, createSecureServer } from "node:http2";

const [cert, key] = process.argv.slice(2).map((path) => readFileSync(path));
const piece = (delta, finish = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const server = createSecureServer({ cert, key });
server.on("stream", (stream) => {
  const parts = [];
  stream.on("error", () => {});
  stream.on("data", (part) => parts.push(part));
  stream.on("end", () => {
    const { model } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    stream.respond({ ":status": 200, "content-type": "text/event-stream", "x-request-id": "h2" });
    stream.write(piece({ content: "The sign " }), () => {
      if (model === "is-cut") stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      else stream.end(`${piece({ content: "says OPEN." })}${piece({}, "stop")}data: [DONE]\n\n`);
    });
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`listening on https://127.0.0.1:${server.address().port}`);
});
