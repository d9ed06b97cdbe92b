FROM rust:1-alpine AS build
RUN apk add --no-cache musl-dev
WORKDIR /src
COPY . .
RUN cargo install --locked --path . --root /out

FROM alpine:3
COPY --from=build /out/bin/ /usr/local/bin/
USER nobody
# The name of the program is that of the package.
CMD ["app"]
