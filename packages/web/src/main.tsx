import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { options } from "preact";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries, router } from "./router.js";
import "./styles.css";
import { Notices } from "./ui/notify.js";

// Effects run before the next event, as those of React do: a form that is sent right after a key must send what it wrote.
options.requestAnimationFrame = (run: () => void) => queueMicrotask(run);

const place = document.getElementById("root");
if (place === null) throw new Error("the page has no root element for the application");
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Notices>
        <RouterProvider router={router} />
      </Notices>
    </QueryClientProvider>
  </StrictMode>,
);
