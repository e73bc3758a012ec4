# Dependencies and the generated database client; needs the development tools.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json prisma.config.ts ./
COPY client/package.json ./client/
COPY examples/price-checker/package.json ./examples/price-checker/
COPY trials/package.json ./trials/
COPY prisma ./prisma
COPY scripts ./scripts
COPY src/web/assets ./src/web/assets
RUN npm ci --no-audit --no-fund
COPY src ./src
# The image has a Node of its own, and what generates code has done it. The Postgres among the optional
# packages stays: `backup verify` restores into it.
RUN npm run prepare \
  && npm uninstall --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
    node prisma @scalar/fastify-api-reference

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# With `--build-arg BUILD_COMMIT=$(git rev-parse HEAD)`, the version tells builds apart.
ARG BUILD_COMMIT
ENV BUILD_COMMIT=$BUILD_COMMIT
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/src ./src
# The commands for developers: `src/process/cli/main.ts dev`.
COPY client/package.json ./client/
COPY client/src ./client/src
COPY package.json ./
COPY scripts ./scripts
COPY prisma ./prisma
COPY demo ./demo
COPY docs ./docs
COPY openapi ./openapi
COPY ops/backup.sh ./ops/
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/start.js"]
