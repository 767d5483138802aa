import { BASE_PATH, endpoints } from "@curtail/openadr-3";

const operations = endpoints.map(({ method, path }) => ({
  method,
  address: new RegExp(`^${BASE_PATH}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The methods of an address, with its query or without; none: there is no such address. */
export const methodsAt = (url: string): readonly string[] => {
  const [path = ""] = url.split("?", 1);
  return operations.flatMap(({ method, address }) => {
    if (!address.test(path)) return [];
    return method === "GET" ? ["GET", "HEAD"] : [method];
  });
};
