# The static program and nothing else: the explorer and the HTTP API on port 7878, with the databases in /data.
#
#   scripts/release VERSION makes the folder it is built from:
#   scripts/image-test tries it, or by hand:
#   docker build --tag kanzen --file Dockerfile FOLDER-WITH-THE-PROGRAM
#   docker run --publish 127.0.0.1:7878:7878 --volume "$PWD/data:/data" kanzen
#   docker run --volume "$PWD/data:/data" kanzen solve musashi-25
FROM scratch
COPY kanzen /kanzen
COPY LICENSE-MIT LICENSE-APACHE THIRD-PARTY.txt /
ENV KANZEN_DATA=/data
# Nobody: it needs no rights but to read /data, and to write there where it solves.
USER 65534:65534
VOLUME /data
EXPOSE 7878
ENTRYPOINT ["/kanzen"]
CMD ["serve", "--addr", "0.0.0.0:7878"]
