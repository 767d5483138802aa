import { isIP } from "node:net";
import { connect } from "node:tls";

/** When the certificate of an https address ends, as Node words it; null: it cannot be read, or is not trusted. */
export const endOfCertificate = (url: string, timeoutMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const socket = connect({
      host,
      port: Number(port || 443),
      servername: isIP(host) === 0 ? host : "",
      timeout: timeoutMs,
    });
    const end = (validTo: string | null): void => {
      socket.destroy();
      resolve(validTo);
    };
    socket.once("secureConnect", () => end(socket.getPeerCertificate().valid_to));
    socket.once("error", () => end(null)).once("timeout", () => end(null));
  });
