# Treeline's server: slim, not root, its home a volume. See docs/hosting.md.
FROM python:3.11-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE MANIFEST.in CHANGELOG.md CITATION.cff requirements.lock app.py ./
COPY .package .package
COPY .streamlit .streamlit
COPY core core
COPY knowledge knowledge
COPY pages pages
COPY toolkit toolkit
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
# What numba and matplotlib keep goes where the account may write.
ENV TREELINE_HOME=/home/treeline/data \
    NUMBA_CACHE_DIR=/tmp/numba \
    MPLCONFIGDIR=/tmp/matplotlib \
    PYTHONUNBUFFERED=1
COPY requirements.lock /tmp/requirements.lock
COPY --from=build /wheels /tmp/wheels
# The versions of the lock, and of them only what the server needs.
RUN pip install --no-cache-dir --constraint /tmp/requirements.lock \
        "$(echo /tmp/wheels/treeline-*.whl)[cluster,hdf5,postgres,series,stac,team,telemetry,zarr]" \
    && rm -r /tmp/wheels /tmp/requirements.lock \
    && useradd --create-home --uid 10001 treeline \
    && install --directory --owner treeline /home/treeline/data
USER treeline
WORKDIR /home/treeline
VOLUME /home/treeline/data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/readyz', timeout=14)"]
CMD ["treeline", "serve", "--host", "0.0.0.0", "--port", "8501"]
