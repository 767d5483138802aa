import { requestPath } from "@curtail/client";
import type { Dispatch } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type IntervalTable, intervalTable, reportInterval } from "../rules/interval-table.js";
import { connection } from "../ui/use-connected.js";
import { ApiError } from "./call.js";

const ASK_AGAIN_MS = 5000;

/** The intervals of all sites of a dispatch, as its file has them: one request, whatever the number of sites. */
export const useIntervalTable = (
  base: string,
  { id, start_time, end_time }: Pick<Dispatch, "id" | "start_time" | "end_time">,
  version: number | undefined,
) => {
  const [openedMs] = useState(() => Date.now());
  const durationMs = (end_time === null ? openedMs : Date.parse(end_time)) - Date.parse(start_time);
  const seconds = reportInterval(durationMs);
  const path = requestPath("/dispatches/{id}/performance/table", {
    params: { id },
    query: { format: "csv", interval_seconds: seconds, version },
  });
  return useQuery({
    queryKey: [base, "/dispatches/{id}/performance/table", path],
    queryFn: () => fetched(base + path),
  });
};

const fetched = async (address: string): Promise<IntervalTable> => {
  const response = await fetch(address).catch(() => {
    connection.lost();
    throw new ApiError(0, say("Not connected to the service. Check the connection and try again."));
  });
  if (response.status === 202) {
    // The readings of the dispatch are still being loaded.
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    return fetched(address);
  }
  if (!response.ok)
    throw new ApiError(response.status, say("The service responded with {status}.", { status: response.status }));
  return intervalTable(await response.text());
};
