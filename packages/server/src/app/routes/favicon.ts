import type { FastifyInstance } from "fastify";

/** `packages/web/public/icon.svg` at 16, 32 and 48 pixels; the pages may not be built, and the sandbox has none. */
const favicon = Buffer.from(
  "AAABAAMAEBAAAAEAIACkAQAANgAAACAgAAABACAA8QIAANoBAAAwMAAAAQAgANgDAADLBAAAiVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAA" +
    "Af8/9hAAABWUlEQVR4nJyT3StDYRzHv89xksxMcsEVucOdyIzyD1BcSHGxwnJB5ML4E2hXwo1cKW+tkPwHI7XMlLeVl0LZJGvrMOXi/DzP0dbO" +
    "1jlb53PzvHz7fp/fU7+fDI59bqaXQV1gYC1gqIIZhASBbgjSouJbPmZ271S/BOkAFlChDsj81XlYRHh5AJpgEeGV+eIQh+pyG5pr6zJi4ieF6+" +
    "hboQiHnN5uucfR2dCokz27m/CHQ6YRmYDZ/T3U2Cr+cxnDttuDCVdP8QGR95hO8IfPMers0r51G4saBkhGwsZZQFvHnN0oqoJcxKsXry8Yam3H" +
    "4dUliEinxVPf2p45vNNkFDLS1oG1weG8+8DjPfrWV80rEOyEgniOf+bdf3wpyPoCJdO9kIvKyz55eoAxlJR4/XewiPDyAFqCRYS35Pc0GCl1OX" +
    "m3UD0fjkre4GUFXGKcQ3ycJxXfytEfAAAA//9B1L8AAAAABklEQVQDAJ7QcWb0gUQTAAAAAElFTkSuQmCCiVBORw0KGgoAAAANSUhEUgAAACAA" +
    "AAAgCAYAAABzenr0AAACpklEQVR4nMSX30sUURTHv2d2ksVNt5QIJBQiyiw0orDMwEIiwv6AXkofSxQy0AgsfQjSoheJQIqM6iF8iCB96BdEYV" +
    "oPrZYKPZT91srN3XWzdV1P54606orGzujsB3Y598y995w5852ze3XEkFpdsYOYyhi8EYQcAqXDArLPsHz1MdBHhBZ/Y1PnzOsUtepKne5gar0s" +
    "OEFEDiwBzByRJC74RkK1aG4ORxNw1VTkOZhuy2ADbIG7JwhHgg1N3Zoa6oxD9gVXUJ6KaVgpNZUFxHgqCWiwEdHEZIR4q4ZJPmx3cIWKqU3iqC" +
    "4q34IEIXedrRFxNhIEE2XrUgw3EoQ8htV6rHPV8hQc31OM3Iw18y784B1GbdtdeH8HYZU5CZTvLsKxwqIFFxWuXYfkpCSU3WqBVUyr/+DmPKS7" +
    "XLCKw7krv26mo3fwG5zLdIyFw/j4yzvr8z0QQIZ7hTFP1IuRsTF0DryDFchdXcnxLOg5eQaZK9MMWyWVe64eVoj7EVx/8Txqq0T2rrf2FsedwM" +
    "2XndI8p4tWml8AK8SdwFDAj7be19FxyaZcpCWbF6Opt6Clq2N6AxGjlSqYSuDR235DgP+wkoAOk6gqnN5fYthKjA/Lq/BnIjzv/J6vn3Hx8QP8" +
    "DI4uTgI3RIyn9h2Ark0VcVtm1oLzVfcMhkI4e799lt90J/wxGsC9N91xrVF6icV0BRRVd1oRHB9HVtr//zh7vnzC5WdP5vjj7oSLjSbRh5AgVG" +
    "zRAHuQMNijiSwSloCKrTHTVSnFOGyHR1mLXHGEOrq8zoLtEyAqho3ITdf4Gy61G33ANzB0XlyvYBcMj//9YJMypxpRa2vElxyQhs4N6gCJJcLY" +
    "m9Hoc/l3qpjKN6c1qeO5/NyXyoWcxTyeyz79THwt9nj+FwAA//+fmrhLAAAABklEQVQDAJns8h99UGJOAAAAAElFTkSuQmCCiVBORw0KGgoAAA" +
    "ANSUhEUgAAADAAAAAwCAYAAABXAvmHAAADjUlEQVR4nNSaWUhUURjH/9+ZUUNtRIoWpZeIiGyn0or2qLAosZcoo0QQI5eXGEMiCsLUCteHDCIr" +
    "6skixdBWzGIqI5IS00wSwi0IGbfcZk7nTCjqeAdx7h3n/h6GM989M3zfOed/tu8a4YrU+CCT3e8wQNEgLCMgRFhnQ1u6OectRKjnoEdd1F+KzJ" +
    "tWpco0mTEgLWW+YdieJorxBJqFGYSD94NToc2HrvSm53ZMfO4UgCk16QDZ8QBEJngTnHfZiZ/oziooHWs2jCmTyZx8UYRcSDSzrT4pRH7Ct6N+" +
    "W8JtA5bqNyPm0QBM5qTjYrjkCecJXgr9Z5fv5o3Ng5bqGodNfgSak3cy4Jn4YoQOECIfIo5I67X8F0waGEeKXpyXiF7w4USJjnLg2YR5jHzavX" +
    "noTIboBW6DLcRoYL7RUJhOvRnZ4EYYo5gI5Sh0ilgjooyi7ddAp4hhE8E4h/fN+VNE+m4kuUDoFOk7g85xOfen7Y1EzPoIhAQFYSr0DQ2ivK4W" +
    "5pJi/OnthSdQ7IHo1etg3r1vys5L/H18cUT87mHcaXgKxQCWL1iI6bImdBG2L1kKT6AYQH1HO9whNnwzPIFiAMU1n2D52YTpErVqLeYGBEJrXI" +
    "o48kYepkKwvz8az1+G0WAYZ4/ZEI6cypfQElWm0c6+PpTVfXWyx0Vshdaotg4UfbA42RYFB2OHxmJWLYDKxgb86ux0sp/SWMyqrsS33r91sh0M" +
    "W+XQiFaoGsCdaguGbbZxNinskxs3QStUDWAmxKz6Zs7TYlY9AE+LWZPttCfFTEHmZA6VmRMQgKYL6XCXVqsVdz++Q8bzcsU6mvSAPAs8/vIZ7i" +
    "K38uf27MeBsJWKdTQ7kd2eRMzTZcXCUMVnmgXw+sd3fOtogxo0/O5QfKbpmTj2fhFq21rhDlVNjS6HoyYi9iS6v5UQF1t8ALqFW5m4nnPv8DuD" +
    "iCRgu0gNUA30Ckc9A/FK6BSR0ahg3MYroFMGGKtg3dcLREKZP4XOEDfTJf0ZOc2OaZSDpehpNpK+Dg0bzsiyI4DurNwGsZolQD/E/83ObpGF0Z" +
    "somXcVSWSZ6dsBL0Y09KWuq/m5I9+dknuzzYmHGKd73viqAWc41pWZ/2Ss2WkrId9FGCSECZGUwUuQvkifJjovcZleDUxN2Sb2GjvFX4SLqosJ" +
    "PFSmlqEpvEcME7mFFTfLVG0netWTmVulVPsfAAAA//9Jvz6ZAAAABklEQVQDAM6GKv+HIbbMAAAAAElFTkSuQmCC",
  "base64",
);

/** Browsers with windows ask for it on every host, whatever icon a page names. */
export const faviconRoute = (app: FastifyInstance): void => {
  app.get("/favicon.ico", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=86400").type("image/x-icon").send(favicon),
  );
};
