# The sandbox as a container. See docs/containers.md.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
# `prepare` generates what is not committed and bundles dist/. The bundle needs no packages.
RUN npm ci --no-audit --no-fund

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Teebox" \
      org.opencontainers.image.description="A stateful sandbox of a golf tee time distribution API" \
      org.opencontainers.image.source="https://github.com/teebox-golf/teebox" \
      org.opencontainers.image.documentation="https://teebox-golf.github.io/teebox/" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    TEEBOX_HOST=0.0.0.0 \
    TEEBOX_PORT=4653
WORKDIR /teebox
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/dist ./dist
# A volume takes over the owner of the folder that it covers.
RUN mkdir /state && chown 1000:1000 /state
# A number, so that Kubernetes can see that it is not root. It is the user `node` of the image.
USER 1000:1000
EXPOSE 4653
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TEEBOX_PORT}/__admin/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/teebox/dist/cli.js"]
CMD ["serve"]
