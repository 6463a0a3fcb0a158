# syntax=docker/dockerfile:1

# generated/ is made, not committed, by development dependencies.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Install scripts fetch what only development needs: an embedded PostgreSQL and a second Node.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN node tools/build/main.ts && rm -r generated/console-types

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional and peer packages are the Prisma command line, which nothing imports.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --omit=peer --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=1 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    MALLOC_MMAP_THRESHOLD_=32768 \
    NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=1024"
WORKDIR /app
RUN install -d -o node -g node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/generated generated
# The API, the worker and the simulator run from generated/bundle. Migrations and commands of operators run from the sources.
COPY package.json LICENSE CHANGELOG.md ./
COPY prisma prisma
COPY src src
COPY schema schema
COPY rest rest
COPY jobs jobs
COPY simulator simulator
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The exec form: the signal to stop reaches node itself, which then drains.
CMD ["node", "generated/bundle/server.mjs"]
