FROM maven:3-eclipse-temurin-21-alpine AS build
WORKDIR /src
COPY pom.xml .
RUN mvn --batch-mode dependency:go-offline
COPY src src
RUN mvn --batch-mode package

FROM eclipse-temurin:21-jre-alpine
# The name of the archive is that of the project.
COPY --from=build /src/target/*.jar /app.jar
USER nobody
ENTRYPOINT ["java", "-jar", "/app.jar"]
