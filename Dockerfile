# Dependencies and the generated database client; needs the development tools.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json prisma.config.ts ./
COPY client/package.json ./client/
COPY examples/price-checker/package.json ./examples/price-checker/
COPY prisma ./prisma
COPY scripts ./scripts
COPY src/web/assets ./src/web/assets
RUN npm ci --no-audit --no-fund
COPY src ./src
# The Postgres among the optional packages is that of `backup verify`.
RUN npm run prepare && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# What hashing passwords takes is given back at once (glibc).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=4194304
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/src ./src
# The commands for developers: `src/cli/main.ts dev`.
COPY client/package.json ./client/
COPY client/src ./client/src
COPY package.json ./
COPY prisma ./prisma
COPY demo ./demo
COPY docs ./docs
COPY openapi ./openapi
COPY ops/backup.sh ./ops/
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=384", "--heap-growing-percent=50", "--disable-sigusr1", "src/server.ts"]
