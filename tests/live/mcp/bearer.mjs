// Lets a client in that cannot send a bearer token: adds it to every request, and changes nothing else.
//
//   TOKEN=... node bearer.mjs http://127.0.0.1:PORT/
//
// Writes the port it listens on. Where Host and Origin name this address they name the server's on the other side;
// foreign ones pass as they are, so that the server is seen to refuse them.
import http from 'node:http'

const server = new URL(process.argv[2])
const authorization = `Bearer ${process.env.TOKEN}`

const proxy = http.createServer((request, response) => {
  const own = `:${proxy.address().port}`
  const headers = { ...request.headers, authorization }
  for (const name of ['host', 'origin']) {
    if (headers[name]?.endsWith(own)) headers[name] = headers[name].slice(0, -own.length) + `:${server.port}`
  }
  const options = { host: server.hostname, port: server.port, method: request.method, path: request.url, headers }
  const onward = http.request(options, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    response.flushHeaders()
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
})

proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port))
// Whoever started this holds its standard input.
process.stdin.resume().on('close', () => process.exit())
