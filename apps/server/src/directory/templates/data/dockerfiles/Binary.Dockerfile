# Runs a program that was built before, for instance by a CI job.
FROM debian:stable-slim
COPY app /usr/local/bin/app
USER nobody
ENTRYPOINT ["app"]
