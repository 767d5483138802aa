// A bare server: answers and reads the same bytes as the service, and does nothing else.
import { createServer } from "node:http";

const answers = JSON.parse(process.argv[2]);

const server = createServer((asked, response) => {
  const { head, body } = answers[asked.method];
  asked.resume().on("end", () => response.writeHead(200, head).end(body));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\nready\n`));
