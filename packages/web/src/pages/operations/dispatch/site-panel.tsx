import { requestPath } from "@curtail/client";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { OPERATOR } from "../../../api/call.js";
import { useOperator } from "../../../api/use-call.js";
import { SitePerformanceCards } from "../../../parts/performance-detail.js";
import { Button } from "../../../ui/button.js";
import { Stack } from "../../../ui/card.js";
import { Answered } from "../../../ui/state.js";
import type { ShownResult } from "./portfolio-chart.js";

const route = getRouteApi("/operations/dispatches/$id");
const PATH = "/dispatches/{id}/sites/{site_id}/performance";

/** Curve, figures and baseline of one site. */
export const SitePanel = ({ id, timeZone, version, siteId }: ShownResult & { readonly siteId: string }) => {
  const navigate = route.useNavigate();
  const place = useRef<HTMLElement>(null);
  const params = { id, site_id: siteId };
  const query = version === undefined ? {} : { version };
  const detail = useOperator(PATH, { params, query });
  const isThere = detail.data !== undefined;
  // The site may be chosen far down in a long table.
  useEffect(() => {
    if (isThere) place.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [isThere]);
  const close = () => void navigate({ search: ({ site: _site, ...rest }) => rest, resetScroll: false });
  return (
    <section ref={place} aria-label="Selected site" className="grid scroll-mt-16 gap-2">
      <div className="flex justify-end">
        <Button onClick={close}>Close</Button>
      </div>
      <Answered of={detail}>
        {(data) => (
          <Stack>
            <SitePerformanceCards
              detail={data}
              timeZone={timeZone}
              csvHref={OPERATOR + requestPath(PATH, { params, query: { ...query, format: "csv" } })}
            />
          </Stack>
        )}
      </Answered>
    </section>
  );
};
