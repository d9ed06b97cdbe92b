# Runs a program that was built before; one that is linked dynamically must be built for musl.
FROM alpine:3
COPY app /usr/local/bin/app
USER nobody
ENTRYPOINT ["app"]
