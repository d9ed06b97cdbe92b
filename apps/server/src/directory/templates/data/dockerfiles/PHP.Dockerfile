FROM composer:2 AS vendor
WORKDIR /app
COPY composer.json composer.lock ./
RUN composer install --no-dev --no-scripts --ignore-platform-reqs

FROM php:8.3-apache
COPY --from=vendor /app/vendor /var/www/vendor
COPY . /var/www/html
