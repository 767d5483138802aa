import { requestPath } from "@curtail/client";
import { OPERATOR } from "../../api/call.js";
import { Download } from "../../ui/button.js";

const formats = [
  ["csv", "CSV"],
  ["parquet", "Parquet"],
] as const;

/** A list as files. */
export const TableFiles = ({
  path,
  params = {},
  query = {},
}: {
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}) =>
  formats.map(([format, label]) => (
    <Download key={format} href={OPERATOR + requestPath(path, { params, query: { ...query, format } })}>
      {label}
    </Download>
  ));
