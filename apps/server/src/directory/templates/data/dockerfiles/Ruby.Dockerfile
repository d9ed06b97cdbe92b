FROM ruby:3-slim
RUN apt-get update && apt-get install --yes --no-install-recommends build-essential \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY Gemfile Gemfile.lock ./
RUN bundle install
COPY . .
USER nobody
CMD ["ruby", "main.rb"]
