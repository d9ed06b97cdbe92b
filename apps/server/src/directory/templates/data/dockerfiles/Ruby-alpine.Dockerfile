FROM ruby:3-alpine
RUN apk add --no-cache build-base
WORKDIR /app
COPY Gemfile Gemfile.lock ./
RUN bundle install
COPY . .
USER nobody
CMD ["ruby", "main.rb"]
